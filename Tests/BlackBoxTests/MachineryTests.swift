// SPDX-License-Identifier: Apache-2.0
//
// The test machinery against something that is not ours: ordinary programs, and a Varlink responder of a few lines of
// Python. A machinery that sees what is not there would make every other test here worthless.

import StrictJSON
import TestSupport
import Testing

@Suite struct ProgramTests {
  @Test func `what a program wrote and how it ended are both seen`() throws {
    let script = "read name; echo \"hello $name\"; echo oops >&2; exit 3"
    let outcome = try Program.run("sh", ["-c", script], input: "Ann\n")
    #expect(outcome.exit == .status(3))
    #expect(outcome.output == "hello Ann\n")
    #expect(outcome.errors == "oops\n")
  }

  @Test func `a program is read line by line while it runs`() throws {
    let program = try Program("sh", ["-c", "while read line; do echo \"<$line>\"; done; printf rest"])
    try program.write("one\ntwo\n")
    #expect(try program.readLine() == "<one>")
    #expect(try program.readLine() == "<two>")
    #expect(program.isRunning)
    program.input.close()
    #expect(try program.readLine() == "rest")
    #expect(try program.readLine() == nil)
    #expect(try program.waitForExit() == .status(0))
  }

  @Test func `a signal that ends a program is told from a status`() throws {
    let program = try Program("cat")
    program.signal(9)
    #expect(try program.waitForExit() == .signal(9))
  }

  @Test func `waiting for a program that hangs fails at the deadline`() throws {
    let program = try Program("cat")
    #expect(throws: TestFailure.self) { try program.waitForExit(before: Deadline(seconds: 0.05)) }
    #expect(throws: TestFailure.self) { try program.readLine(before: Deadline(seconds: 0.05)) }
  }

  @Test func `a program sees the test's variables and none of the machine's`() throws {
    let outcome = try Program.run("env", environment: ["TZ": "Asia/Tokyo"])
    #expect(outcome.output.contains("TZ=Asia/Tokyo\n"))
    #expect(!outcome.output.contains("HOME="))
  }

  @Test func `a program can be held to few descriptors`() throws {
    #expect(try Program.run("sh", ["-c", "ulimit -n"], wrappers: [.openFiles(40)]).output == "40\n")
  }

  @Test func `a program that is listening has its own pid in LISTEN_PID`() throws {
    #expect(try Program.run("sh", ["-c", "test $$ = $LISTEN_PID"], wrappers: [.listening]).exit == .status(0))
  }

  @Test func `a program that is not there is a failure`() {
    #expect(throws: TestFailure.self) { try Program("/nonexistent/program") }
  }
}

@Suite struct NotifySocketTests {
  @Test func `assignments arrive in order, and the end of the program ends the waiting`() throws {
    let directory = try TemporaryDirectory()
    let notify = try NotifySocket(path: directory.file("notify"))
    let program = try Program("sh", ["-c", script], environment: ["NOTIFY_SOCKET": notify.path])
    #expect(try notify.wait(for: program) { $0 == "READY=1" } == "READY=1")
    #expect(try notify.wait(for: program) { $0.hasPrefix("STOPPING") } == "STOPPING=1")
    #expect(notify.assignments == ["READY=1", "STATUS=serving", "STOPPING=1"])
    #expect(throws: TestFailure.self) { try notify.wait(for: program) { $0 == "RELOADING=1" } }
  }

  @Test func `a program that says much is never held up`() throws {
    let directory = try TemporaryDirectory()
    let notify = try NotifySocket(path: directory.file("notify"))
    let many = "for n in range(5000): s.sendto(b\"STATUS=%d\" % n, os.environ[\"NOTIFY_SOCKET\"])"
    let script = "import os, socket\ns = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n\(many)"
    let outcome = try Program.run(
      "/usr/bin/python3", ["-I", "-S", "-c", script], environment: ["NOTIFY_SOCKET": notify.path])
    #expect(outcome.exit == .status(0))
    try notify.collect()
    #expect(notify.assignments == (0..<5_000).map { "STATUS=\($0)" })
  }

  private var script: String { "\(python) '\(sends("READY=1\\nSTATUS=serving"))'; \(python) '\(sends("STOPPING=1"))'" }
  private var python: String { "/usr/bin/python3 -I -S -c" }

  private func sends(_ message: String) -> String {
    "import os, socket; "
      + "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b\"\(message)\", os.environ[\"NOTIFY_SOCKET\"])"
  }
}

@Suite struct TestClientTests {
  @Test func `a call is answered with its parameters`() throws {
    let responder = try Responder()
    let answer = try responder.client().call("org.example.Echo.Say", ["text": "é😀"])
    #expect(answer == ["method": "org.example.Echo.Say", "parameters": ["text": "é😀"]])
  }

  @Test func `an error reply is thrown with its name and parameters`() throws {
    let responder = try Responder()
    let client = try responder.client()
    let error = #expect(throws: CallError.self) { try client.call("org.example.Echo.Fail") }
    #expect(error == CallError("org.example.Echo.Failed", ["why": "asked to"]))
  }

  @Test func `pipelined calls and a stream are received in order`() throws {
    let responder = try Responder()
    let client = try responder.client()
    try client.send("org.example.Echo.Count", more: true)
    try client.send("org.example.Echo.Say", ["n": 1])
    #expect(try client.receive() == ServerReply(parsing: Array(#"{"parameters":{"n":0},"continues":true}"#.utf8)))
    #expect(try client.receive()?.continues == true)
    #expect(try client.receive()?.continues == false)
    #expect(try client.receiveAnswer()["parameters"] == ["n": 1])
    #expect(client.isQuiet)
  }

  @Test func `a oneway call is answered by nothing`() throws {
    let responder = try Responder()
    let client = try responder.client()
    try client.send("org.example.Echo.Say", oneway: true)
    #expect(try client.call("org.example.Echo.Say", ["n": 2])["parameters"] == ["n": 2])
  }

  @Test func `a server that closes is seen, and so is an answer after the half-close`() throws {
    let responder = try Responder()
    let client = try responder.client()
    try client.send("org.example.Echo.Say", ["n": 3])
    client.finishSending()
    #expect(try client.receiveAnswer()["parameters"] == ["n": 3])
    #expect(try client.receive() == nil)
  }

  @Test(arguments: [
    #"{"error":null}"#, #"{"id":1}"#, #"{"parameters":[]}"#, #"{"error":"a.b.C","continues":true}"#,
    #"{"parameters":{}}"#, #"{"parameters":{"a":1,"a":2}}"#, #"[]"#,
  ])
  func `a reply that Varlink forbids is refused`(text: String) {
    #expect(throws: (any Error).self) { try ServerReply(parsing: Array(text.utf8)) }
  }

  @Test func `a judge sees every reply with the method it answers`() throws {
    let responder = try Responder()
    let client = try TestClient(path: responder.path, judge: SevereJudge())
    try client.send("org.example.Echo.Say", ["n": 1])
    try client.send("org.example.Echo.Fail")
    #expect(try client.receive() != nil)
    #expect(throws: TestFailure.self) { try client.receive() }
  }

  @Test(.enabled(if: Program.isRoot, "only root can be another user"))
  func `another user's connection carries that user's uid`() throws {
    let responder = try Responder()
    let client = try TestClient(path: responder.path, as: 52_003)
    #expect(try client.call("org.example.Echo.WhoAmI")["uid"] == 52_003)
    try client.send("org.example.Echo.Say", ["n": 4])
    client.finishSending()
    #expect(try client.receiveAnswer()["parameters"] == ["n": 4])
    #expect(try client.receive() == nil)
  }
}

@Suite struct DescriptionJudgeTests {
  @Test(arguments: [
    #"{"parameters":{"n":"1"}}"#, "{}", #"{"parameters":{"n":1,"m":2}}"#, #"{"error":"org.example.Echo.Absent"}"#,
    #"{"error":"org.example.Echo.Failed"}"#, #"{"error":"org.example.Other.Failed","parameters":{"why":"x"}}"#,
  ])
  func `a reply that the server's own description forbids is found`(lie: String) throws {
    let responder = try Responder()
    let client = try TestClient(path: responder.path, judge: try DescriptionJudge(of: responder.path))
    #expect(try client.call("org.example.Echo.Say", ["text": "x"])["method"] == "org.example.Echo.Say")
    #expect(throws: TestFailure.self) { try client.call("org.example.Echo.Lie", ["how": .string(lie)]) }
  }

  @Test func `a described error is the call's own business`() throws {
    let responder = try Responder()
    let client = try TestClient(path: responder.path, judge: try DescriptionJudge(of: responder.path))
    let error = #"{"error":"org.example.Echo.Failed","parameters":{"why":"x"}}"#
    #expect(throws: CallError("org.example.Echo.Failed", ["why": "x"])) {
      try client.call("org.example.Echo.Lie", ["how": .string(error)])
    }
  }
}

/// Finds fault with everything but one method.
private struct SevereJudge: ReplyJudge {
  func complaint(about reply: ServerReply, to method: String) -> String? {
    method == "org.example.Echo.Say" ? nil : "unknown"
  }
}
