// SPDX-License-Identifier: Apache-2.0
//
// What an earlier process left, tampered with: connections without valid words are closed, the daemon starts and serves
// all the same, and says so in one line.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct DamagedHandoverTests {
  private let family: Family
  private let question: String
  private let waiters: [TestClient]

  private var store: DescriptorKeep { family.daemon.notify.store }

  /// Two callers wait for one question, and the daemon has stopped.
  init() throws {
    family = try Family(daemon: .managed())
    question = try family.question(.update("2.0"))
    waiters = [try family.waiter(for: question), try family.waiter(for: question)]
    _ = try family.daemon.stop()
    #expect(store.names == ["handover", "apps-0", "apps-1"])
  }

  /// Starts the daemon on what is there, and expects it to go on with `count` callers and to serve new ones.
  private func expect(_ count: Int, warns: Bool = false) throws {
    try family.startAgain()
    #expect(store.names == [])
    try family.settle(waiters: Int64(count))
    #expect(try family.answer(question, "approve")["state"] == "approved")
    #expect(try waiters.compactMap { try $0.receive() }.count == count)
    #expect(try family.question(.update("3.0")) != question)
  }

  /// The daemon's warnings since it was first started.
  private func warnings() throws -> [String] {
    try String(contentsOfFile: family.daemon.directory.file("sandbox/consentd.log"), encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { $0.contains("earlier process") }
  }

  @Test func `a list in one piece is used`() throws {
    try expect(2)
    #expect(try warnings() == [])
  }

  @Test func `without a list everybody is closed`() throws {
    store.remove("handover")
    try expect(0)
    #expect(try warnings().count == 1)
  }

  @Test(arguments: ["", "consentd handover 2\n", "consentd handover 1\n", "nonsense"])
  func `a list that is none closes everybody`(text: String) throws {
    store.replace("handover", with: Array(text.utf8))
    try expect(0)
    #expect(try warnings().count == 1)
  }

  @Test func `a list of another version closes everybody`() throws {
    var bytes = store.content(of: "handover")
    bytes[18] = UInt8(ascii: "9")
    store.replace("handover", with: bytes)
    try expect(0)
    #expect(try warnings().first?.contains("a version that this one does not know") == true)
  }

  @Test func `a list that could have been changed meanwhile closes everybody`() throws {
    store.replace("handover", with: store.content(of: "handover"), sealed: false)
    try expect(0)
  }

  @Test func `two lists close everybody`() throws {
    store.duplicate("handover")
    try expect(0)
  }

  @Test func `a list that is a device closes everybody`() throws {
    store.remove("handover")
    store.keepFile(as: "handover")
    try expect(0)
  }

  @Test func `words without a connection are passed over`() throws {
    store.remove("apps-0")
    try expect(1)
  }

  @Test func `a connection that is there twice is closed`() throws {
    store.duplicate("apps-1")
    try expect(1)
  }

  @Test(arguments: ["apps-7", "guardians-1", "stored", "administrators-1", "apps-01", "apps-"])
  func `a connection under a name that is not in the list is closed`(name: String) throws {
    store.rename("apps-1", to: name)
    try expect(1)
  }

  @Test func `something else in the place of a connection is closed`() throws {
    store.remove("apps-0")
    store.keepFile(as: "apps-0")
    store.keepFile(as: "something")
    try expect(1)
  }

  @Test func `seeded damage never keeps the daemon from starting`() throws {
    var chance = SeededGenerator(seed: 40)
    let bytes = store.content(of: "handover")
    for _ in 0..<25 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &chance)] ^= 1 << UInt8.random(in: 0...7, using: &chance)
      if Bool.random(using: &chance) { damaged = Array(damaged.prefix(Int.random(in: 0...bytes.count, using: &chance))) }
      store.replace("handover", with: damaged)
      try family.startAgain()
      try family.settle(waiters: 0)
      #expect(try family.look(question)["state"] == "pending")
      let waiter = try family.waiter(for: question)
      _ = try family.daemon.stop()
      #expect(waiter.isQuiet)
      #expect(store.names == ["handover", "apps-0"])
    }
  }
}
