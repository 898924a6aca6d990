// SPDX-License-Identifier: Apache-2.0
//
// Everything that is stored about a person, page by page, so that it costs little memory however much it is. A page is
// read in one transaction; what changes between two pages may be in one of them and not in another.

package import ConsentModel
import ConsentStore
import StrictJSON

/// Where an export goes on.
package enum ExportPlace: Sendable {
  /// With what there is little of: enrolment, guardians, declarations, askers.
  case start
  /// With the questions behind this one.
  case questions(after: Int64)
  /// With an asker's events behind a sequence; with the first asker's where none is named.
  case events(of: Asker?, after: Int64)
  /// With the entries of the audit behind this one.
  case audit(after: Int64)
}

extension Broker {
  private static let questionsAtOnce = 16
  private static let eventsAtOnce = 256

  /// One page of everything stored about a person, and where the next one starts.
  /// Throws `unknownPerson` where nothing is stored about the person, any more too: what was moved is not left out.
  package func export(
    of person: Person, from place: ExportPlace
  ) throws(Refusal) -> (records: [ExportedRecord], next: ExportPlace?) {
    try read { rows in
      try rows.requireStored(person)
      switch place {
      case .start:
        return (try rows.standing(of: person), .questions(after: 0))
      case .questions(let seq): return try rows.questions(of: person, after: seq, limit: Self.questionsAtOnce)
      case .events(let asker, let sequence):
        return try rows.events(of: person, asker, after: sequence, limit: Self.eventsAtOnce)
      case .audit(let sequence): return try rows.audit(of: person, after: sequence, limit: Self.eventsAtOnce)
      }
    }
  }
}

extension StoreReader {
  fileprivate func standing(of person: Person) throws -> [ExportedRecord] {
    let name = person.description
    var records = try self.person(name).map { [ExportedRecord(.person, $0.export)] } ?? []
    records += try guardians(of: name).map { ExportedRecord(.guardian, $0.export) }
    records += try people(ofVoices: [name], after: nil, limit: .max).map {
      ExportedRecord(.guardianship, ["person": .string($0.person)])
    }
    records += try allDeclarations(of: name).map { ExportedRecord(.declaration, $0.export) }
    return records + (try askers(about: name)).map { ExportedRecord(.asker, $0.export) }
  }

  fileprivate func questions(
    of person: Person, after seq: Int64, limit: Int
  ) throws -> ([ExportedRecord], ExportPlace?) {
    let page = try questions(QuestionFilter(people: [person.description]), after: seq, limit: limit)
    let records = try page.map { question in
      var json = try question.export
      json["answers"] = .array(try answers(question: question.id).map { .object($0.export) })
      if let grant = try question.ending?.grant.flatMap({ try self.grant($0) }) {
        json["grant"] = .object(grant.export(items: try items(ofGrant: grant.id)))
      }
      return ExportedRecord(.question, json)
    }
    return (records, page.count < limit ? .events(of: nil, after: 0) : page.last.map { .questions(after: $0.seq) })
  }

  fileprivate func events(
    of person: Person, _ asker: Asker?, after sequence: Int64, limit: Int
  ) throws -> ([ExportedRecord], ExportPlace?) {
    let askers = try askers(about: person.description).map { try Asker($0.asker) }
    guard let asker = asker ?? askers.first else { return ([], .audit(after: 0)) }
    let page = try events(about: person.description, asker: AskerKey(asker), after: sequence, limit: limit)
    let records = page.map { ExportedRecord(.event, $0.export) }
    if page.count == limit, let last = page.last { return (records, .events(of: asker, after: last.sequence)) }
    let next = askers.drop { $0 != asker }.dropFirst().first
    return (records, next.map { .events(of: $0, after: 0) } ?? .audit(after: 0))
  }

  fileprivate func audit(
    of person: Person, after sequence: Int64, limit: Int
  ) throws -> ([ExportedRecord], ExportPlace?) {
    let page = try auditEntries(about: person.description, app: nil, after: sequence, limit: limit)
    let records = try page.compactMap { try $0.export }.map { ExportedRecord(.audit, $0) }
    return (records, page.count < limit ? nil : page.last.map { .audit(after: $0.seq) })
  }
}
