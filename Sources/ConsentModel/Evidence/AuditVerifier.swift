// SPDX-License-Identifier: Apache-2.0
//
// Whether a chain is whole. Entries are taken in order, a few at a time, and little is kept of them: the hash so far, who
// is listed under which name, and which payloads are gone.
//
// Two things can be judged only at the end. A payload that is gone is in order where a later entry says that it was
// erased. And an entry is listed under the name its person has *now*, while its payload has the name of then; what lies
// between are the moves that the chain itself tells of.

import StrictJSON

/// An entry as it is stored.
package struct StoredAuditEntry: Sendable, Equatable {
  package var link: AuditLink
  package var hash: [UInt8]
  /// Absent, with the salt, where it was erased.
  package var payload: [UInt8]?
  package var salt: [UInt8]?
  /// Under whom and what it is listed.
  package var person: String?
  package var app: String?

  package init(
    link: AuditLink, hash: [UInt8], payload: [UInt8]?, salt: [UInt8]?, person: String?, app: String?
  ) {
    self.link = link
    self.hash = hash
    self.payload = payload
    self.salt = salt
    self.person = person
    self.app = app
  }
}

/// What is wrong with a chain; the wire's word is the case's name.
package enum AuditProblem: String, CaseIterable, Sendable {
  /// There is no entry with this sequence, and there are later ones.
  case missing
  /// There is an entry where none can be.
  case inserted
  /// Sequence, time, kind, commitment or hash were changed, or entries were put in another order.
  case chain
  /// The payload or its salt was changed.
  case payload
  /// The entry is listed under another person or app than its payload names.
  case listing
  /// The payload is gone, and no entry says that it was erased.
  case erasedUnsaid
  /// The chain is shorter than it was when the head was taken.
  case cut
  /// The chain up to here closes and is another one than when the head was taken: it was written anew.
  case rewritten
}

/// What a verification found.
package struct AuditVerdict: Sendable, Equatable {
  /// How far the chain was followed; up to the last entry where it is valid.
  package let head: AuditHead
  /// The first entry that is not as it was written, and what is wrong with it.
  package let fault: Fault?
  /// How many entries say nothing any more: they were erased, or kept as long as they are kept.
  package var emptied: Int64 = 0

  /// Where a chain is broken, and how.
  package struct Fault: Sendable, Equatable {
    package let sequence: Int64
    package let problem: AuditProblem

    package init(_ sequence: Int64, _ problem: AuditProblem) {
      self.sequence = sequence
      self.problem = problem
    }
  }

  package var isValid: Bool { fault == nil }
}

/// Follows a chain from its start.
package struct AuditVerifier: Sendable {
  /// The head somebody kept.
  private let kept: AuditHead?
  /// How many entries there were when this began. What is erased or moved behind it may show in some entries and not
  /// in others.
  private let sizeAtStart: Int64
  package private(set) var head = AuditHead.empty
  private var fault: AuditVerdict.Fault?
  private var gone = SequenceRanges()
  private var excused: [ClosedRange<Int64>] = []
  /// By the name payloads have for a person now: under which names those entries are listed, and the first of each.
  private var listings: [String: [String?: Int64]] = [:]

  package init(kept: AuditHead? = nil, sizeAtStart: Int64) {
    self.kept = kept
    self.sizeAtStart = sizeAtStart
  }

  /// Whether there is nothing more to be found out.
  package var isBroken: Bool { fault != nil }

  /// Takes the next entry.
  package mutating func take(_ entry: StoredAuditEntry) {
    guard fault == nil else { return }
    if let problem = take(entry.link, entry.hash) {
      fault = AuditVerdict.Fault(problem == .missing ? head.size + 1 : entry.link.sequence, problem)
    } else if let problem = takePayload(of: entry) {
      fault = AuditVerdict.Fault(entry.link.sequence, problem)
    }
  }

  /// What is to be said once all were taken.
  package func verdict() -> AuditVerdict {
    let late = [unsaid, misplaced].compactMap(\.self).min { $0.sequence < $1.sequence }
    return AuditVerdict(head: head, fault: fault ?? cut ?? late, emptied: gone.count)
  }

  private mutating func take(_ link: AuditLink, _ hash: [UInt8]) -> AuditProblem? {
    let expected = head.size + 1
    guard link.sequence >= expected else { return .inserted }
    guard link.sequence == expected else { return .missing }
    guard AuditChain.hash(of: link, after: head.hash) == hash else { return .chain }
    head = AuditHead(size: expected, hash: hash)
    return kept?.size == expected && kept != head ? .rewritten : nil
  }

  private mutating func takePayload(of entry: StoredAuditEntry) -> AuditProblem? {
    guard let payload = entry.payload, let salt = entry.salt else {
      guard entry.payload == nil, entry.salt == nil else { return .payload }
      gone.append(entry.link.sequence...entry.link.sequence)
      return entry.person == nil && entry.app == nil ? nil : .listing
    }
    guard AuditChain.commitment(salt: salt, payload: payload) == entry.link.commitment,
      let json = try? JSONObject(parsing: payload)
    else { return .payload }
    guard json["app"]?.string == entry.app else { return .listing }
    let facts = json["facts"]?.object ?? [:]
    switch AuditKind(rawValue: entry.link.kind) {
    case .personMoved?: move(from: facts["from"]?.string, to: facts["to"]?.string, at: entry.link.sequence)
    case .erased?, .forgotten?, .retention?:
      excuse(SequenceRanges(json: facts["sequences"]), before: entry.link.sequence)
    default: break
    }
    return list(json["person"]?.string, under: entry.person, at: entry.link.sequence)
  }

  /// Notes under which name an entry is listed whose payload names `person`.
  private mutating func list(_ person: String?, under name: String?, at sequence: Int64) -> AuditProblem? {
    guard let person else { return name == nil ? nil : .listing }
    if listings[person]?[name] == nil { listings[person, default: [:]][name] = sequence }
    return nil
  }

  /// From here on what was said of `person` is said of `other`.
  private mutating func move(from person: String?, to other: String?, at sequence: Int64) {
    guard let person, let other, person != other, var names = listings.removeValue(forKey: person) else { return }
    if sequence > sizeAtStart { names[person] = nil }
    listings[other, default: [:]].merge(names, uniquingKeysWith: min)
  }

  private mutating func excuse(_ ranges: SequenceRanges, before sequence: Int64) {
    for run in ranges.runs where run.lowerBound < sequence {
      excused.append(run.lowerBound...min(run.upperBound, sequence - 1))
    }
  }

  private var cut: AuditVerdict.Fault? {
    guard let kept, kept.size > head.size || (kept.size == 0 && kept != .empty) else { return nil }
    return AuditVerdict.Fault(head.size + 1, kept.size == 0 ? .rewritten : .cut)
  }

  private var unsaid: AuditVerdict.Fault? {
    gone.first(outside: SequenceRanges(runs: excused)).map { AuditVerdict.Fault($0, .erasedUnsaid) }
  }

  private var misplaced: AuditVerdict.Fault? {
    let first = listings.flatMap { person, names in names.filter { $0.key != person }.map(\.value) }.min()
    return first.map { AuditVerdict.Fault($0, .listing) }
  }
}
