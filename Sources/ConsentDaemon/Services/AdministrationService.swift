// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.Administration: who is a person here, and who may answer for them.

import ConsentBroker
import ConsentInterface
import ConsentModel
import ConsentStore
import HostRuntime
import StrictJSON

/// Enrolment, for uid 0 and the administrators the configuration lists.
@Loop
final class AdministrationService: Service {
  private let broker: Broker
  private let authority: Authority
  private let protocolViolations: @Loop () -> Int64

  init(_ broker: Broker, _ authority: Authority, protocolViolations: @escaping @Loop () -> Int64) {
    self.broker = broker
    self.authority = authority
    self.protocolViolations = protocolViolations
  }

  let interface = Contract.administration

  var methods: [String: Method] {
    [
      "AddPerson": .single(addPerson), "RemovePerson": .single(removePerson), "AddGuardian": .single(addGuardian),
      "RemoveGuardian": .single(removeGuardian), "ListPeople": .immediate(listPeople),
      "GetStatistics": .immediate(getStatistics), "Backup": .single(backup),
    ]
  }

  private func addPerson(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try PersonCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person)
    try await broker.addPerson(call.person, displayName: call.displayName)
    return [:]
  }

  private func removePerson(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let person = try PersonCall(exchange.parameters).person
    try authority.requireAuthority(exchange.peer, over: person)
    try await broker.removePerson(person)
    return [:]
  }

  private func addGuardian(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try GuardianCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person)
    if case .user(let uid) = call.guardian, authority.apps.isRegistered(uid) {
      throw .invalidValue(field: "guardian", rule: "not the uid of a registered app")
    }
    try await broker.addGuardian(call.guardian, for: call.person, displayName: call.displayName)
    return [:]
  }

  private func removeGuardian(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try GuardianCall(exchange.parameters)
    try authority.requireAuthority(exchange.peer, over: call.person)
    try await broker.removeGuardian(call.guardian, of: call.person)
    return [:]
  }

  private func listPeople(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    let call = try PageCall(exchange.parameters)
    let page = try broker.people(ofGuardian: nil, after: call.after, limit: call.limit)
    return Page(entries: page.people, next: page.next).json("people", \.json)
  }

  private func backup(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    let copy = try await broker.backUp()
    return [
      "file": .string(copy.file), "bytes": .integer(copy.bytes), "takenAtUSec": .integer(copy.takenAtUSec),
    ]
  }

  private func getStatistics(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    try authority.requireAdministrator(exchange.peer)
    let statistics = try broker.statistics()
    return [
      "people": .integer(Int64(statistics.people)), "openQuestions": .integer(Int64(statistics.openQuestions)),
      "waiters": .integer(Int64(statistics.waiters)), "companions": .integer(Int64(statistics.companions)),
      "protocolViolations": .integer(protocolViolations()),
    ]
  }
}
