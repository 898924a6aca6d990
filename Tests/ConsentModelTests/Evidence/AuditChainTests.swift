// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of the chain, against values that another program computed from its description.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct AuditChainTests {
  private let salt = (0..<32).map(UInt8.init)
  private let entry = AuditEntry(.setting, about: .user(1001), ["value": "all"])

  @Test func `a payload is compact, its names are in order`() {
    let entry = AuditEntry(.vote, about: .user(1001), app: .chatForAudit, ["question": "q", "guardian": "uid:1000"])
    #expect(
      String(decoding: entry.payload, as: UTF8.self)
        == #"{"app":"org.example.Chat","facts":{"guardian":"uid:1000","question":"q"},"person":"uid:1001"}"#)
    #expect(String(decoding: AuditEntry(.erased).payload, as: UTF8.self) == #"{"facts":{}}"#)
  }

  @Test func `commitment and hashes are what others compute`() {
    let commitment = AuditChain.commitment(salt: salt, payload: entry.payload)
    #expect(
      hex(commitment) == "3e632654d3c8fe396ab7f2851f38f1025e60cfd337609547ec94d54251101e06")
    let first = AuditChain.hash(of: link(1, commitment), after: AuditChain.start)
    #expect(
      hex(first) == "4c1fdda928ee64533ae117d73b4be2e4b2aaaf2a397c3141ad6847446b8935c7")
    let second = AuditChain.hash(of: link(2, commitment), after: first)
    #expect(
      hex(second) == "0a8666607a159b2d86f78ea1fa30dea7991cb21d3202075320a7b63312e6e8cb")
  }

  private func hex(_ hash: [UInt8]) -> String { AuditHead(size: 1, hash: hash).hashText }

  private func link(_ sequence: Int64, _ commitment: [UInt8]) -> AuditLink {
    AuditLink(
      sequence: sequence, atUSec: 1_700_000_000_000_000 + sequence - 1, kind: AuditKind.setting.rawValue,
      commitment: commitment)
  }

  @Test func `no part of an entry can change without its hash`() {
    let commitment = AuditChain.commitment(salt: salt, payload: entry.payload)
    let links = [
      link(1, commitment), link(2, commitment),
      AuditLink(sequence: 1, atUSec: 1_700_000_000_000_001, kind: "setting", commitment: commitment),
      AuditLink(sequence: 1, atUSec: 1_700_000_000_000_000, kind: "settings", commitment: commitment),
      AuditLink(sequence: 1, atUSec: 1_700_000_000_000_000, kind: "setting", commitment: salt),
    ]
    let hashes = links.map { AuditChain.hash(of: $0, after: AuditChain.start) }
    #expect(Set(hashes + [AuditChain.hash(of: links[0], after: salt)]).count == links.count + 1)
  }

  @Test func `salts differ`() {
    #expect(AuditChain.salt().count == 32)
    #expect(AuditChain.salt() != AuditChain.salt())
  }

  @Test func `a head reads back`() throws {
    let hash = String(repeating: "0f", count: 32)
    #expect(try AuditHead(size: 7, hash: hash).hashText == hash)
  }

  @Test(
    arguments: [
      (-1, String(repeating: "0", count: 64)), (1, ""), (1, String(repeating: "0", count: 63)),
      (1, String(repeating: "0", count: 65)), (1, String(repeating: "A", count: 64)),
      (1, String(repeating: "0", count: 62) + "é"), (1, String(repeating: "0", count: 64) + "é"),
    ] as [(Int64, String)])
  func `what is no head is refused`(size: Int64, hash: String) {
    #expect(throws: ValueError.self) { try AuditHead(size: size, hash: hash) }
  }
}
