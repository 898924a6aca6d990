# SPDX-License-Identifier: Apache-2.0
#
# load.py COUNT: so many calls of every kind a user may make, one after the other. Prints how many were answered.

import json
import socket
import sys


def connect(name):
    peer = socket.socket(socket.AF_UNIX)
    peer.connect("/run/consentd/org.consentd." + name)
    return peer


def send(peer, method, **parameters):
    peer.sendall(json.dumps({"method": "org.consentd." + method, "parameters": parameters}).encode() + b"\0")


def receive(peer):
    data = b""
    while not data.endswith(b"\0"):
        more = peer.recv(65536)
        if not more:
            return None
        data += more
    return json.loads(data[:-1])


def call(count):
    apps, guardians = connect("Permission"), connect("Guardian")
    answered = 0
    for number in range(count):
        topic = {"kind": "resource", "resource": "org.example.r%d" % (number % 5), "purpose": "To see."}
        calls = [
            (apps, "Permission.GetStatus", {"topic": topic}),
            (apps, "AgeRange.GetAgeRange", {}),
            (apps, "Permission.Ask", {"topic": topic}),
            (guardians, "Guardian.ListQuestions", {}),
            (guardians, "Administration.ListPeople", {}),
        ]
        peer, method, parameters = calls[number % len(calls)]
        send(peer, method, **parameters)
        answered += receive(peer) is not None
    print(answered)


call(int(sys.argv[1]))
