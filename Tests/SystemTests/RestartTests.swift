// SPDX-License-Identifier: Apache-2.0
//
// Restarts under a real systemd: whoever waits notices nothing of one that was asked for, and comes back by id after one
// that was not.

import StrictJSON
import TestSupport
import Testing

/// Callers that wait while the service is restarted, replaced and killed.
@Suite(PreparedRoots.boot, .serialized)
struct RestartTests {
  private let machine: Machine

  init() throws {
    machine = try Machine(showing: ["/root/consentd.deb": try PreparedRoots.package()])
    try machine.container.write(Callers.script, to: "/usr/local/lib/callers.py")
    try machine.container.shell("chmod 755 /usr/local/lib /usr/local/lib/callers.py")
  }

  @Test func `a restart with a hundred callers of four kinds disconnects nobody`() throws {
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let callers = try parked(on: question)
    for _ in 0..<2 {
      try machine.container.output(of: ["systemctl", "restart", "consentd.service"])
      try settle()
    }
    try machine.consentctl("approve", question, as: .anna)
    try expectAnswers(callers, about: question)
    #expect(try machine.journal().filter { $0.contains("connections left to the next process: 100") }.count == 2)
  }

  @Test func `an upgrade with a hundred callers disconnects nobody`() throws {
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let callers = try parked(on: question)
    let before = try machine.property("MainPID")
    try machine.upgrade(to: "99.0")
    #expect(try machine.property("MainPID") != before)
    try settle()
    try machine.consentctl("approve", question, as: .anna)
    try expectAnswers(callers, about: question)
  }

  @Test func `a stop that is no restart closes, and the next start finds nothing of it`() throws {
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let callers = try parked(on: question)
    try machine.container.output(of: ["systemctl", "stop", "consentd.service"])
    try expectEnds(callers)
    #expect(try machine.pending(as: .anna) == [question])
    try machine.settle("StatusText", "1 open question, 0 callers waiting, 0 companions connected")
  }

  @Test func `a daemon that hangs is restarted by the watchdog, and nothing is lost`() throws {
    try machine.container.write(
      "[Service]\nWatchdogSec=2s\nTimeoutAbortSec=1s\n", to: "/etc/systemd/system/consentd.service.d/soon.conf")
    try machine.container.output(of: ["systemctl", "daemon-reload"])
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    let callers = try parked(on: question)
    let hung = try machine.property("MainPID")
    try machine.container.shell("kill -STOP \(hung)")
    try expectEnds(callers)
    try machine.settle("NRestarts", "1")
    try machine.settle("ActiveState", "active")
    #expect(try machine.property("MainPID") != hung)
    #expect(try machine.pending(as: .anna) == [question])
    let back = try machine.starting("await", question, as: .mia)
    try machine.consentctl("approve", question, as: .anna)
    #expect(try back.outcome().exit == .status(0))
  }

  /// A hundred calls that wait: `Await`, `Request` and `Responses` of the child, `WatchQuestions` of a guardian.
  private func parked(on question: String) throws -> [Program] {
    let hour = 3_600_000_000
    let topic = """
      {"kind":"significantUpdate","change":"2.0","reasons":[],"description":"Adds voice rooms."}
      """
    let apps = [
      #"40 {"method":"org.consentd.Permission.Await","parameters":{"question":"\#(question)","timeoutUSec":\#(hour)}}"#,
      #"40 {"method":"org.consentd.Permission.Request","parameters":{"topic":\#(topic),"timeoutUSec":\#(hour)}}"#,
      #"10 {"method":"org.consentd.Permission.Responses","parameters":{"after":0},"more":true}"#,
    ]
    let guardians = [#"10 {"method":"org.consentd.Guardian.WatchQuestions","more":true}"#]
    let programs = [
      try Callers.start(in: machine, as: .mia, "org.consentd.Permission", apps, until: "ready"),
      try Callers.start(in: machine, as: .anna, "org.consentd.Guardian", guardians, until: "ready"),
    ]
    try settle()
    return programs
  }

  /// Returns when a hundred callers wait, as the service manager is told.
  private func settle() throws {
    try machine.settle("StatusText", "1 open question, 80 callers waiting, 10 companions connected")
  }

  /// Expects every connection to end; what streams were told before is passed over.
  private func expectEnds(_ callers: [Program]) throws {
    for (program, count) in zip(callers, [90, 10]) {
      var ended = 0
      while ended < count {
        let line = try #require(try program.readLine())
        if line.hasSuffix(" closed") { ended += 1 } else { #expect(!line.contains(#""state":"approved""#), "\(line)") }
      }
    }
  }

  /// Expects one answer for each caller and one more event for each stream, and nothing else.
  private func expectAnswers(_ callers: [Program], about question: String) throws {
    var answered: [Int: Int] = [:]
    for _ in 0..<100 {
      let line = try #require(try callers[0].readLine())
      guard !line.contains(#""event":"delivered""#), !line.contains(#""event":"granted""#) else { continue }
      #expect(line.contains(question) && line.contains(#""state":"approved""#), "\(line)")
      answered[Int(line.prefix { $0 != " " }) ?? -1, default: 0] += 1
    }
    #expect(answered.count >= 80)
    #expect(answered.values.allSatisfy { $0 == 1 })
    for _ in 0..<10 {
      let line = try #require(try callers[1].readLine())
      #expect(line.contains(#""change":"removed""#) && line.contains(question), "\(line)")
    }
  }
}

/// Many connections in one program of one user, each with one call.
private enum Callers {
  /// Starts it and returns when every connection has sent its call, and every stream said `ready`.
  static func start(
    in machine: Machine, as user: Machine.User, _ socket: String, _ calls: [String], until ready: String
  ) throws -> Program {
    let program = try machine.container.start(
      ["python3", "/usr/local/lib/callers.py", "/run/consentd/\(socket)", "\"\(ready)\""] + calls, as: user.rawValue)
    guard try program.readLine() == "waiting" else { throw TestFailure(program.errors) }
    return program
  }

  /// Prints every message after the first "ready" of a stream, and every end, as `number message`.
  static let script = #"""
    import json, selectors, socket, sys
    path, ready, calls = sys.argv[1], sys.argv[2], sys.argv[3:]
    peers, streams = selectors.DefaultSelector(), set()
    count = 0
    for line in calls:
        number, call = line.split(" ", 1)
        for _ in range(int(number)):
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(path)
            peer.sendall(call.encode() + b"\0")
            peers.register(peer, selectors.EVENT_READ, [count, b""])
            if '"more"' in call:
                streams.add(count)
            count += 1
    if not streams:
        print("waiting", flush=True)
    while True:
        for key, _ in peers.select():
            number, rest = key.data
            data = key.fileobj.recv(65536)
            if not data:
                peers.unregister(key.fileobj)
                print(number, "closed", flush=True)
                continue
            *messages, key.data[1] = (rest + data).split(b"\0")
            for message in messages:
                if number not in streams:
                    print(number, message.decode(), flush=True)
                elif ready.encode() in message:
                    streams.remove(number)
                    if not streams:
                        print("waiting", flush=True)
    """#
}
