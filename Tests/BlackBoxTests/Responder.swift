// SPDX-License-Identifier: Apache-2.0
//
// A Varlink server in a few lines of Python that shares nothing with ours, so that the test machinery can be tried
// against something that is certainly not at fault in the same way.

import TestSupport

/// A running responder; it ends with the test.
struct Responder {
  let path: String
  private let directory: TemporaryDirectory
  private let program: Program

  /// Starts it and returns when it listens.
  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("org.example.Echo")
    program = try Program("/usr/bin/python3", ["-I", "-S", "-c", Responder.script, path])
    guard try program.readLine() == "listening" else { throw TestFailure(program.errors) }
  }

  /// A new connection to it.
  func client() throws -> TestClient { try TestClient(path: path) }

  private static let script = #"""
    import json, os, socket, struct, sys, threading
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o666)
    listener.listen()
    print("listening", flush=True)

    SERVICE = """interface org.varlink.service
    method GetInfo() -> (interfaces: []string)
    method GetInterfaceDescription(interface: string) -> (description: string)
    """
    ECHO = """interface org.example.Echo
    method Say(text: ?string) -> (method: string, parameters: object)
    method Lie(how: string) -> (n: int)
    error Failed(why: string)
    """

    def answers(call, uid):
        name = call["method"].split(".")[-1]
        if name == "GetInfo":
            yield {"parameters": {"interfaces": ["org.example.Echo", "org.varlink.service"]}}
        elif name == "GetInterfaceDescription":
            isEcho = call["parameters"]["interface"] == "org.example.Echo"
            yield {"parameters": {"description": ECHO if isEcho else SERVICE}}
        elif name == "Lie":
            yield json.loads(call["parameters"]["how"])
        elif name == "Say":
            yield {"parameters": {"method": call["method"], "parameters": call.get("parameters", {})}}
        elif name == "Count":
            yield {"parameters": {"n": 0}, "continues": True}
            yield {"parameters": {"n": 1}, "continues": True}
            yield {"parameters": {"n": 2}}
        elif name == "WhoAmI":
            yield {"parameters": {"uid": uid}}
        else:
            yield {"error": "org.example.Echo.Failed", "parameters": {"why": "asked to"}}

    def serve(peer):
        uid = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]
        rest = b""
        while data := peer.recv(4096):
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                call = json.loads(message)
                for answer in answers(call, uid):
                    if not call.get("oneway"):
                        peer.sendall(json.dumps(answer).encode() + b"\0")
        peer.close()

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """#
}
