// SPDX-License-Identifier: Apache-2.0
//
// What one process leaves to the next, as bytes: it reads as it was written, or not at all.

import ConsentInterface
import ConsentModel
import Foundation
import TestSupport
import Testing
import Varlink

@testable import ConsentDaemon

@Suite struct HandoverTests {
  private let handover = Handover(entries: [
    .init(
      role: .apps, remainder: .init(input: Array(#"{"method":"a.b.C"}"#.utf8) + [0], output: []),
      resumption: .waiting(.init(question: .random(), joined: true, untilBootUSec: .max))),
    .init(
      role: .apps, remainder: .init(input: [0, 1, 255], output: [7, 0, 7], inputEnded: true),
      resumption: .following(.init(after: 17, isReady: false, standing: "claimed org.example.Chat"))),
    .init(role: .apps, remainder: .init(output: [1]), resumption: nil),
    .init(
      role: .guardians, remainder: .init(input: [9]),
      resumption: .watching(.init(shown: [.random(): "1 0/1 5 true", .random(): ""], isReady: true))),
  ])

  @Test func `the unit lets the manager keep as many connections, and the list`() throws {
    let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../systemd/consentd.service")
    let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("FileDescriptorStoreMax=\(Handover.limit + 1)"))
  }

  @Test func `it reads as it was written`() throws {
    #expect(try Handover(parsing: handover.encoded()) == handover)
    #expect(try Handover(parsing: Handover().encoded()) == Handover())
  }

  @Test func `no part of it is read alone`() {
    let bytes = handover.encoded()
    for prefix in Mutations.prefixes(of: bytes) where prefix.count < bytes.count {
      #expect(throws: HandoverError.self) { try Handover(parsing: prefix) }
    }
    #expect(throws: HandoverError.damaged) { try Handover(parsing: bytes + [0]) }
  }

  @Test func `with any bit flipped it does not read`() {
    for flipped in Mutations.bitFlips(of: handover.encoded()) {
      #expect(throws: HandoverError.self) { try Handover(parsing: flipped) }
    }
  }

  @Test func `another version is not read`() {
    let other = Array("consentd handover 2\n".utf8) + handover.encoded().dropFirst(Handover.magic.count)
    #expect(throws: HandoverError.unknownVersion) { try Handover(parsing: other) }
    #expect(throws: HandoverError.unknownVersion) { try Handover(parsing: []) }
  }

  /// As if the damage had been done before the digest was taken: no trap, whatever stands there.
  @Test func `damage that the digest covers is refused or read, and no more`() {
    let body = Array(handover.encoded().dropFirst(Handover.magic.count + 32))
    var refused = 0
    for damaged in SeededMutations(of: [body], seed: 39).prefix(20_000) {
      do { _ = try Handover(parsing: Handover.sealing(damaged)) } catch { refused += 1 }
    }
    for damaged in Mutations.prefixes(of: body) where damaged.count < body.count {
      #expect(throws: HandoverError.damaged) { try Handover(parsing: Handover.sealing(damaged)) }
    }
    #expect(refused > 10_000)
  }

  @Test(arguments: [
    #"{"role":"apps","input":9223372036854775807,"output":0}"#, #"{"role":"apps","input":-1,"output":0}"#,
    #"{"role":"administrators","input":0,"output":0}"#, #"{"role":"apps","input":0}"#, #"[]"#, #"{}"#,
    #"{"role":"apps","input":0,"output":0,"wait":{"question":"12","joined":true,"untilBootUSec":1}}"#,
    #"{"role":"apps","input":0,"output":0,"watch":{"shown":[["1"]],"isReady":true}}"#,
    #"{"role":"apps","input":0,"output":0,"follow":7}"#, #"{"connections":1}"#, #"{"connections":"0"}"#,
  ])
  func `a record that says nonsense is refused`(record: String) {
    let end = Array(#"{"connections":1}"#.utf8) + [0]
    #expect(throws: HandoverError.damaged) {
      try Handover(parsing: Handover.sealing(Array(record.utf8) + [0] + end))
    }
  }

  @Test func `descriptors are named by role and place`() {
    #expect(Handover.name(.apps, 17) == "apps-17")
    #expect(Handover.name(.guardians, 0) == "guardians-0")
  }
}
