// SPDX-License-Identifier: Apache-2.0
//
// Everything that can be done to a chain, and what is said of it.

import StrictJSON
import Testing

@testable import ConsentModel

/// A chain in memory, made the way the broker makes it.
private struct Chain {
  var entries: [StoredAuditEntry] = []

  /// Three entries about Mia, one about Ben, one about nobody.
  static let small: Chain = {
    var chain = Chain()
    chain.append(AuditEntry(.personAdded, about: .mia))
    chain.append(AuditEntry(.decision, about: .mia, app: .chatForAudit, ["state": "approved"]))
    chain.append(AuditEntry(.decision, about: .ben, ["state": "denied"]))
    chain.append(AuditEntry(.clockTrusted))
    chain.append(AuditEntry(.setting, about: .mia, ["value": "all"]))
    return chain
  }()

  var head: AuditHead { AuditHead(size: Int64(entries.count), hash: entries.last?.hash ?? AuditChain.start) }

  mutating func append(_ entry: AuditEntry) {
    let salt = AuditChain.salt()
    let link = AuditLink(
      sequence: Int64(entries.count + 1), atUSec: Int64(entries.count), kind: entry.kind.rawValue,
      commitment: AuditChain.commitment(salt: salt, payload: entry.payload))
    entries.append(
      StoredAuditEntry(
        link: link, hash: AuditChain.hash(of: link, after: head.hash), payload: entry.payload, salt: salt,
        person: entry.person?.description, app: entry.app?.text))
  }

  mutating func move(_ person: Person, to other: Person) {
    for index in entries.indices where entries[index].person == person.description {
      entries[index].person = other.description
    }
    append(AuditEntry(.personMoved, about: other, ["from": .string("\(person)"), "to": .string("\(other)")]))
  }

  /// Empties entries, and says so where `kind` is given.
  mutating func erase(_ sequences: [Int64], saying kind: AuditKind?) {
    for index in sequences.map({ Int($0) - 1 }) {
      entries[index].payload = nil
      entries[index].salt = nil
      entries[index].person = nil
      entries[index].app = nil
    }
    if let kind { append(AuditEntry(kind, ["sequences": SequenceRanges(sequences).json])) }
  }

  /// Makes the chain close again, as somebody may who can write the store.
  mutating func rechain() {
    var previous = AuditChain.start
    for index in entries.indices {
      let old = entries[index]
      let link = AuditLink(
        sequence: Int64(index + 1), atUSec: old.link.atUSec, kind: old.link.kind, commitment: old.link.commitment)
      previous = AuditChain.hash(of: link, after: previous)
      entries[index] = StoredAuditEntry(
        link: link, hash: previous, payload: old.payload, salt: old.salt, person: old.person, app: old.app)
    }
  }

  func verdict(kept: AuditHead? = nil, sizeAtStart: Int64? = nil) -> AuditVerdict {
    var verifier = AuditVerifier(kept: kept, sizeAtStart: sizeAtStart ?? Int64(entries.count))
    for entry in entries { verifier.take(entry) }
    return verifier.verdict()
  }
}

extension AppID {
  static let chatForAudit = try? AppID(parsing: "org.example.Chat")
}

extension Person {
  fileprivate static let mia = Person.user(1001)
  fileprivate static let ben = Person.user(1003)
}

@Suite struct AuditVerifierTests {
  @Test func `a chain as it was written is valid, and so is none`() {
    #expect(Chain.small.verdict() == AuditVerdict(head: Chain.small.head, fault: nil))
    #expect(Chain().verdict(kept: .empty) == AuditVerdict(head: .empty, fault: nil))
  }

  @Test func `a head that was kept at any time before still holds`() {
    var chain = Chain()
    var heads = [chain.head]
    for number in 0..<9 {
      chain.append(AuditEntry(.setting, about: .mia, ["value": .integer(Int64(number))]))
      heads.append(chain.head)
    }
    for head in heads { #expect(chain.verdict(kept: head).isValid) }
  }

  @Test(arguments: Tampering.all)
  fileprivate func `what was tampered with is found, and where`(tampering: Tampering) {
    var chain = Chain.small
    tampering.tamper(&chain.entries)
    #expect(chain.verdict().fault == AuditVerdict.Fault(tampering.sequence, tampering.problem))
  }

  @Test func `a tail that was cut is found by whoever kept a head`() {
    var chain = Chain.small
    let head = chain.head
    chain.entries.removeLast(2)
    #expect(chain.verdict().isValid)
    #expect(chain.verdict(kept: head).fault == AuditVerdict.Fault(4, .cut))
    chain.entries.removeAll()
    #expect(chain.verdict(kept: head).fault == AuditVerdict.Fault(1, .cut))
  }

  @Test func `history written anew is found by whoever kept a head`() {
    var chain = Chain.small
    let head = chain.head
    let earlier = AuditHead(size: 2, hash: chain.entries[1].hash)
    chain.entries.remove(at: 2)
    chain.rechain()
    chain.append(AuditEntry(.setting, about: .mia, ["value": "any"]))
    #expect(chain.verdict().isValid)
    #expect(chain.verdict(kept: earlier).isValid)
    #expect(chain.verdict(kept: head).fault == AuditVerdict.Fault(5, .rewritten))
  }

  @Test func `a head that never was is not one of this chain`() {
    let zero = AuditHead(size: 0, hash: Chain.small.head.hash)
    #expect(Chain.small.verdict(kept: zero).fault?.problem == .rewritten)
  }

  @Test(arguments: [AuditKind.erased, .forgotten, .retention])
  func `what was erased and said so is no fault`(kind: AuditKind) {
    var chain = Chain.small
    let head = chain.head
    chain.erase([1, 2, 5], saying: kind)
    #expect(chain.verdict(kept: head).isValid)
    chain.erase([3], saying: nil)
    #expect(chain.verdict().fault == AuditVerdict.Fault(3, .erasedUnsaid))
  }

  @Test func `an erasure excuses nothing that came after it`() {
    var chain = Chain.small
    chain.append(AuditEntry(.erased, ["sequences": [[1, 99]]]))
    chain.append(AuditEntry(.personAdded, about: .ben))
    chain.erase([7], saying: nil)
    #expect(chain.verdict().fault == AuditVerdict.Fault(7, .erasedUnsaid))
  }

  @Test func `an erasure leaves no names behind`() {
    var chain = Chain.small
    chain.erase([1, 2, 5], saying: .erased)
    chain.entries[1].person = "uid:1001"
    #expect(chain.verdict().fault == AuditVerdict.Fault(2, .listing))
  }

  @Test func `entries are listed under the name their person has now`() {
    var chain = Chain.small
    chain.move(.mia, to: .user(2001))
    chain.append(AuditEntry(.setting, about: .user(2001)))
    chain.append(AuditEntry(.personAdded, about: .mia))
    #expect(chain.verdict().isValid)
    chain.move(.user(2001), to: .user(3001))
    chain.move(.mia, to: .user(2001))
    #expect(chain.verdict().isValid)
    var tampered = chain
    tampered.entries[1].person = "uid:1001"
    #expect(tampered.verdict().fault == AuditVerdict.Fault(2, .listing))
    tampered.entries[1].person = "uid:2001"
    #expect(tampered.verdict().fault == AuditVerdict.Fault(2, .listing))
    chain.entries[7].person = "uid:3001"
    #expect(chain.verdict().fault == AuditVerdict.Fault(8, .listing))
  }

  @Test func `a move while a chain is read makes no fault`() {
    let before = Chain.small
    var after = before
    after.move(.mia, to: .user(2001))
    var mixed = after
    mixed.entries.replaceSubrange(0..<2, with: before.entries[0..<2])
    #expect(mixed.verdict(sizeAtStart: 5).isValid)
    #expect(mixed.verdict(sizeAtStart: 6).fault == AuditVerdict.Fault(1, .listing))
  }
}

/// Something done to the small chain, and what is to be said of it.
private struct Tampering: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sequence: Int64
  let problem: AuditProblem
  let tamper: @Sendable (inout [StoredAuditEntry]) -> Void

  init(
    _ what: String, _ sequence: Int64, _ problem: AuditProblem,
    _ tamper: @escaping @Sendable (inout [StoredAuditEntry]) -> Void
  ) {
    testDescription = what
    self.sequence = sequence
    self.problem = problem
    self.tamper = tamper
  }

  static let all = links + payloads + names + places

  private static let links: [Tampering] = [
    Tampering("the time", 2, .chain) { $0[1].link = AuditLink($0[1].link, atUSec: 99) },
    Tampering("the kind", 2, .chain) { $0[1].link = AuditLink($0[1].link, kind: "vote") },
    Tampering("the commitment", 2, .chain) { $0[1].link = AuditLink($0[1].link, commitment: $0[2].link.commitment) },
    Tampering("the hash", 2, .chain) { $0[1].hash = $0[2].hash },
    Tampering("a hash that is none", 2, .chain) { $0[1].hash = [] },
    Tampering("the last hash", 5, .chain) { $0[4].hash[31] ^= 1 },
  ]

  private static let payloads: [Tampering] = [
    Tampering("the payload", 2, .payload) { $0[1].payload?[10] ^= 1 },
    Tampering("the salt", 2, .payload) { $0[1].salt?[0] ^= 1 },
    Tampering("a payload without salt", 2, .payload) { $0[1].salt = nil },
    Tampering("a salt without payload", 2, .payload) { $0[1].payload = nil },
    Tampering("payload and salt of another", 2, .payload) {
      $0[1].payload = $0[2].payload
      $0[1].salt = $0[2].salt
    },
    Tampering("payload, salt and names are gone", 2, .erasedUnsaid) {
      $0[1] = StoredAuditEntry(emptied: $0[1])
    },
  ]

  private static let names: [Tampering] = [
    Tampering("the person", 2, .listing) { $0[1].person = "uid:1003" },
    Tampering("no person", 2, .listing) { $0[1].person = nil },
    Tampering("a person where none is", 4, .listing) { $0[3].person = "uid:1001" },
    Tampering("the app", 2, .listing) { $0[1].app = "org.example.Game" },
    Tampering("no app", 2, .listing) { $0[1].app = nil },
    Tampering("one person put with another", 1, .listing) { entries in
      for index in [0, 1, 4] { entries[index].person = "uid:1003" }
    },
  ]

  private static let places: [Tampering] = [
    Tampering("the first is gone", 1, .missing) { $0.removeFirst() },
    Tampering("one is gone", 3, .missing) { $0.remove(at: 2) },
    Tampering("one is put behind another", 2, .missing) { $0.swapAt(1, 2) },
    Tampering("two have changed places", 2, .chain) { entries in
      let (second, third) = (entries[1], entries[2])
      entries[1] = StoredAuditEntry(third, sequence: 2)
      entries[2] = StoredAuditEntry(second, sequence: 3)
    },
    Tampering("one stands twice", 2, .inserted) { $0.insert($0[1], at: 2) },
    Tampering("one before the first", 0, .inserted) { $0.insert(StoredAuditEntry($0[1], sequence: 0), at: 0) },
    Tampering("one more behind a gap", 6, .missing) { $0.append(StoredAuditEntry($0[1], sequence: 7)) },
    Tampering("one more", 6, .chain) { $0.append(StoredAuditEntry($0[1], sequence: 6)) },
  ]
}

extension AuditLink {
  fileprivate init(
    _ link: AuditLink, sequence: Int64? = nil, atUSec: Int64? = nil, kind: String? = nil, commitment: [UInt8]? = nil
  ) {
    self.init(
      sequence: sequence ?? link.sequence, atUSec: atUSec ?? link.atUSec, kind: kind ?? link.kind,
      commitment: commitment ?? link.commitment)
  }
}

extension StoredAuditEntry {
  fileprivate init(_ entry: StoredAuditEntry, sequence: Int64) {
    self = entry
    link = AuditLink(link, sequence: sequence)
  }

  fileprivate init(emptied entry: StoredAuditEntry) {
    self.init(link: entry.link, hash: entry.hash, payload: nil, salt: nil, person: nil, app: nil)
  }
}
