# SPDX-License-Identifier: Apache-2.0
#
# Many callers of consentd from one process, for the tests in the booted system. Two ways to run it:
#   callers.py wait COUNT QUESTION   COUNT connections wait for a question; prints what became of each
#   callers.py call COUNT            COUNT calls of every kind a user may make; prints how many were answered

import collections
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


def wait(count, question):
    peers = [connect("Permission") for _ in range(count)]
    for peer in peers:
        send(peer, "Permission.Await", question=question, timeoutUSec=600_000_000)
    print("waiting", flush=True)
    ends = collections.Counter()
    for peer in peers:
        reply = receive(peer)
        ends["gone" if reply is None else reply.get("parameters", {}).get("state", reply.get("error"))] += 1
    print(json.dumps(ends))


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


if sys.argv[1] == "wait":
    wait(int(sys.argv[2]), sys.argv[3])
else:
    call(int(sys.argv[2]))
