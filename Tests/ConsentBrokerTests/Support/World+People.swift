// SPDX-License-Identifier: Apache-2.0
//
// Calls about whole people, to their end; and a call that is cut off after so many steps.

import ConsentBroker
import ConsentModel
import StrictJSON

extension World {
  func move(_ person: Person, to other: Person) throws {
    try run { [broker] in try await broker.movePerson(person, to: other) }
  }

  func forget(_ person: Person = .mia, app: AppID = .chat) throws {
    try run { [broker] in try await broker.forget(person, app: app) }
  }

  func erase(_ person: Person = .mia) throws { try run { [broker] in try await broker.erase(person) } }

  /// Everything an export of a person gives, and of how many pages.
  func export(_ person: Person = .mia) throws -> (records: [ExportedRecord], pages: Int) {
    var records: [ExportedRecord] = []
    var pages = 0
    var place: ExportPlace? = .start
    while let start = place {
      let page = try broker.export(of: person, from: start)
      records += page.records
      pages += 1
      place = page.next
    }
    return (records, pages)
  }

  /// Starts a call, lets the world move by `steps`, and gives what a crash then leaves.
  func cut(after steps: Int, _ body: @escaping () async throws -> Void) throws -> World {
    _ = start(body)
    for _ in 0..<steps { _ = runJob() || commit() > 0 || deliver() }
    let left = try afterCrash()
    settle()
    return left
  }
}
