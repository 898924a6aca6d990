// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.Administration: who is a person here, and who may answer for them.

import ConsentBroker
import ConsentInterface
import ConsentModel
import ConsentStore
import HostRuntime
import StrictJSON
import Varlink

/// Enrolment, for uid 0 and the administrators the configuration lists, and for a registered service's own accounts.
@Loop
final class AdministrationService: Service {
  private let broker: Broker
  private let authority: Authority
  private let server: Server
  private let reloading: Reloading

  init(_ broker: Broker, _ server: Server, _ reloading: Reloading) {
    self.broker = broker
    self.server = server
    self.reloading = reloading
    authority = server.authority
  }

  let interface = Contract.administration

  var methods: [String: Method] {
    [
      "AddPerson": .single(addPerson), "RemovePerson": .single(removePerson), "AddGuardian": .single(addGuardian),
      "RemoveGuardian": .single(removeGuardian), "MovePerson": .single(movePerson), "Forget": .single(forget),
      "Export": .stream(export), "Erase": .single(erase), "ListPeople": .immediate(listPeople),
      "ListApps": .immediate(listApps), "DescribeApp": .immediate(describeApp),
      "GetStatistics": .immediate(getStatistics), "Reload": .immediate(reload), "Backup": .single(backUp),
      "GetAuditHead": .immediate(getAuditHead), "VerifyAudit": .single(verifyAudit),
    ]
  }

  private func addPerson(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try PersonCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person)
    try await broker.addPerson(call.person, displayName: call.displayName, by: exchange.peer.uid)
    return [:]
  }

  private func removePerson(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try await broker.removePerson(try person(of: exchange), by: exchange.peer.uid)
    return [:]
  }

  private func addGuardian(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try GuardianCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person, as: call.guardian)
    try requireNoApp(call.guardian.user, in: "guardian")
    try await broker.addGuardian(
      call.guardian, for: call.person, displayName: call.displayName, by: exchange.peer.uid)
    return [:]
  }

  private func removeGuardian(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try GuardianCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person, as: call.guardian)
    try await broker.removeGuardian(call.guardian, of: call.person, by: exchange.peer.uid)
    return [:]
  }

  private func movePerson(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try MovePersonCall(exchange.parameters)
    for person in [call.person, call.other] { try authority.requireAuthority(exchange.peer, over: person) }
    if call.other != call.person { try requireNoApp(call.other.user, in: "to") }
    try await broker.movePerson(call.person, to: call.other, by: exchange.peer.uid)
    return [:]
  }

  private func forget(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try ForgetCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person)
    try await broker.forget(call.person, app: call.app, by: exchange.peer.uid)
    return [:]
  }

  private func erase(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try await broker.erase(try person(of: exchange), by: exchange.peer.uid)
    return [:]
  }

  /// The person a call is about. Throws `notPermitted` where the peer has no authority over them.
  private func person(of exchange: Exchange) throws(Refusal) -> Person {
    let person = try PersonCall(exchange.parameters).person
    try authority.requireAuthority(exchange.peer, over: person)
    return person
  }

  /// Throws where a local user is a registered app: none of them is ever anybody's guardian.
  private func requireNoApp(_ user: UserID?, in field: String) throws(Refusal) {
    guard let user, authority.apps.isRegistered(user) else { return }
    throw .invalidValue(field: field, rule: "not the uid of a registered app")
  }

  /// Sends everything about a person, as fast as the peer reads and as long as the person is the peer's to export.
  private func export(_ exchange: Exchange) async throws(Refusal) {
    let person = try PersonCall(exchange.parameters).person
    var place: ExportPlace? = .start
    while let start = place, !exchange.isOver {
      try authority.requireAuthority(exchange.peer, over: person)
      let page = try broker.export(of: person, from: start)
      for record in page.records { exchange.send(record.json) }
      await exchange.drained()
      place = page.next
    }
    exchange.finish(Reply(ExportedRecord(.end, [:]).json))
  }

  private func listPeople(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let circle = try authority.circle(exchange.peer)
    let call = try PageCall(exchange.parameters)
    let page = try broker.people(circle, after: call.after, limit: call.limit)
    return Page(entries: page.people, next: page.next).json("people", \.json)
  }

  private func listApps(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    let call = try PageCall(exchange.parameters)
    let page = try broker.apps(after: call.after, limit: call.limit)
    return Page(entries: page.apps, next: page.next).json("apps", \.json)
  }

  private func describeApp(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    return ["app": .object(try broker.app(try DescribeAppCall(exchange.parameters).app).json)]
  }

  /// Nothing else runs between the first file that is read and the last rule that is changed.
  private func reload(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    try reloading.reload()
    return [:]
  }

  private func backUp(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    let copy = try await broker.backUp()
    return [
      "file": .string(copy.file), "bytes": .integer(copy.bytes), "takenAtUSec": .integer(copy.takenAtUSec),
    ]
  }

  private func getAuditHead(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try requireKeeper(exchange.peer)
    return try broker.auditHead().json
  }

  private func verifyAudit(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try requireKeeper(exchange.peer)
    let head = try VerifyAuditCall(exchange.parameters).head
    let verdict = try await broker.verifyAudit(against: head) { !exchange.isOver }
    return verdict?.json ?? [:]
  }

  /// Throws `notPermitted` unless the peer may look after the audit, which every guardian may.
  private func requireKeeper(_ peer: PeerCredentials) throws(Refusal) {
    if authority.isAdministrator(peer) { return }
    let viewer = try authority.viewer(peer)
    try broker.requireUnchanged(viewer)
    try broker.requireGuardian(viewer)
  }

  private func getStatistics(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    let statistics = try broker.statistics()
    return [
      "people": .integer(Int64(try broker.peopleCount())), "openQuestions": .integer(Int64(statistics.openQuestions)),
      "waiters": .integer(Int64(statistics.waiters)), "companions": .integer(Int64(statistics.companions)),
      "protocolViolations": .integer(server.protocolViolations),
      "connections": .integer(Int64(server.ledger.total.connections)), "limitsMet": .object(limitsMet),
    ]
  }

  private var limitsMet: JSONObject {
    Limit.allCases.reduce(into: [:]) { $0[$1.rawValue] = .integer(server.ledger.met[$1] ?? 0) }
  }
}
