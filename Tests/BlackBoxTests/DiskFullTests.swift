// SPDX-License-Identifier: Apache-2.0
//
// A store on a disk that fills up: what would have to be kept is refused, what only looks goes on, no decision is made or
// lost, and with room everything goes on by itself. The disk is a small one of the daemon's own, in a mount namespace.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "a disk of the daemon's own needs root: run the tests as root"))
struct DiskFullTests {
  private let family: Family
  private let storage = CallError(
    "\(Interface.permission).NotAvailable", ["reason": "storage", "retryable": true])

  init() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("sandbox"), withIntermediateDirectories: false)
    let state = directory.file("disk")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    var setup = try Daemon.plainSetup(in: directory)
    setup.arguments = setup.arguments.map { $0 == directory.file("state") ? state : $0 }
    setup.wrappers = [.disk(at: state, bytes: 3 << 20)]
    family = try Family(daemon: try Daemon(in: directory, setup: setup))
  }

  /// The daemon's disk, as it sees it.
  private var disk: String { "/proc/\(family.daemon.program.pid)/root\(family.daemon.directory.file("disk"))" }

  @Test func `asks are refused, looking goes on, and with room it heals by itself`() throws {
    let app = try family.daemon.apps(as: 5_001)
    let guardian = try family.daemon.guardians(as: 5_000)
    let topic: JSONObject = ["topic": .object(.own("1.0"))]
    let question = try app.permission("Ask", topic).text("question")
    let waiter = try family.daemon.apps(as: 5_001)
    try waiter.send("\(Interface.permission).Await", ["question": .string(question)])
    try family.settle(waiters: 1)
    try fill()

    let refused = try exhaust(app)
    #expect(refused == storage)
    #expect(try app.permission("GetStatus", topic)["status"] == "pending")
    #expect(try app.permission("Await", ["question": .string(question), "timeoutUSec": 0])["state"] == "pending")
    let cards = try guardian.guardian("ListQuestions").list("questions")
    #expect(cards.contains { $0["question"] == .string(question) })
    let watch = try EventStream(guardian, "\(Interface.guardian).WatchQuestions", [:])
    #expect(try watch.backlog().count == cards.count)
    let desk = try family.daemon.guardians(as: 5_000)
    #expect(
      try desk.guardian("DescribeQuestion", ["question": .string(question)]).member("question")["state"] == "pending")
    let answer: JSONObject = ["question": .string(question), "choice": "approve"]
    let lost = #expect(throws: CallError.self) { try desk.guardian("Answer", answer) }
    #expect(lost?.name == "\(Interface.guardian).NotAvailable")
    #expect(try app.permission("Await", ["question": .string(question), "timeoutUSec": 0])["state"] == "pending")
    #expect(waiter.isQuiet)
    #expect(family.daemon.program.errors.contains("Make room"))

    try FileManager.default.removeItem(atPath: "\(disk)/filler")
    #expect(try app.permission("Ask", ["topic": .object(.own("9.0"))])["state"] == "pending")
    #expect(try desk.guardian("Answer", answer)["state"] == "approved")
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    #expect(family.daemon.program.isRunning)
    let check = try checkStore()
    #expect(check.exit == .status(0), "\(check.output)\(check.errors)")
  }

  @Test func `a backup for which there is no room leaves nothing and says so`() throws {
    try fill()
    let refusal = #expect(throws: CallError.self) { try family.desk.administration("Backup") }
    #expect(refusal == CallError("\(Interface.administration).NotAvailable", ["reason": "storage", "retryable": true]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk).allSatisfy {
        !$0.contains("backup") && !$0.contains("copy")
      })
    let outcome = try Program.run(
      Program.path(of: "consentctl"),
      ["backup", family.daemon.directory.file("b.db"), "--runtime-directory", family.daemon.directory.file("run")])
    #expect(outcome.exit == .status(6) && outcome.remarks.count == 1)
    #expect(!FileManager.default.fileExists(atPath: family.daemon.directory.file("b.db")))
    try FileManager.default.removeItem(atPath: "\(disk)/filler")
    #expect(try family.desk.administration("Backup").number("bytes") > 0)
  }

  /// Checks the store beside the daemon, where the disk is.
  private func checkStore() throws -> Program.Outcome {
    try Program.run(
      "nsenter",
      [
        "--mount", "--target", "\(family.daemon.program.pid)", try Program.path(of: "consentctl"), "store", "check",
        "--state-directory", family.daemon.directory.file("disk"),
      ])
  }

  /// Leaves no byte free on the disk.
  private func fill() throws {
    try Data().write(to: URL(fileURLWithPath: "\(disk)/filler"))
    let filler = try #require(FileHandle(forWritingAtPath: "\(disk)/filler"))
    for size in [65_536, 4_096] {
      while (try? filler.write(contentsOf: Data(repeating: 1, count: size))) != nil {}
    }
    try filler.close()
  }

  /// Asks until the room that the log had is used up, and gives the first refusal.
  private func exhaust(_ app: TestClient) throws -> CallError {
    for number in 0..<2_000 {
      let topic = JSONObject.own("fill-\(number)", String(repeating: "x", count: 1_000))
      do {
        try app.permission("Ask", ["topic": .object(topic)])
      } catch let error as CallError {
        return error
      }
    }
    throw TestFailure("the disk was never full")
  }
}
