// SPDX-License-Identifier: Apache-2.0
//
// Refusals on the wire: what a service can refuse, its interface declares, with exactly these parameters.

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing
import Varlink

@Suite struct WireErrorTests {
  /// One refusal of each kind.
  static let refusals: [Refusal] = [
    .notPermitted(reason: "no guardian of uid:1001"), .invalidValue(field: "person", rule: "uid: and a number"),
    .invalidTopic(field: "people.handle", rule: "given once"), .invalidGates(gate: 14, rule: "at least 2 more"),
    .unknownPerson("uid:1001"), .unknownQuestion("3f9c"), .unknownGrant("3f9c"),
    .notAvailable(reason: .noGuardian, retryable: false),
    .notAvailable(reason: .storage, retryable: true), .notAvailable(reason: .personChanged, retryable: false),
    .notAvailable(reason: .accounts, retryable: true), .keyConflict,
    .notAvailable(reason: .tooManyConnections, retryable: true), .notAvailable(reason: .tooManyCalls, retryable: true),
    .notAvailable(reason: .tooManyWaiting, retryable: true), .notAvailable(reason: .tooManyQuestions, retryable: true),
    .tooManyPending(limit: 100), .coolingDown(until: Instant(usec: 7)),
    .alreadyDecided(state: .approved, decidedAt: Instant(usec: 5)), .contentChanged(contentHash: "cafe"),
    .cursorExpired(oldest: 1, newest: 9), .subscriberTooSlow(sequence: 7),
    .invalidConfiguration(file: "/etc/consentd/consentd.json5", place: "policy", reason: "there is none"),
  ]

  /// The interfaces whose services can refuse like this.
  private static func interfaces(of refusal: Refusal) -> [String] {
    switch refusal {
    case .notPermitted, .invalidValue, .notAvailable(.storage, _), .notAvailable(.tooManyConnections, _),
      .notAvailable(.tooManyCalls, _):
      Interfaces.all.map(\.name)
    case .notAvailable(.personChanged, _), .notAvailable(.accounts, _):
      Interfaces.all.map(\.name).filter { $0 != Contract.sandbox }
    case .notAvailable(.tooManyWaiting, _): [Contract.permission, Contract.guardian]
    case .notAvailable(.noGuardian, _), .notAvailable(.tooManyQuestions, _), .tooManyPending, .coolingDown,
      .invalidTopic,
      .keyConflict, .cursorExpired:
      [Contract.permission]
    case .invalidGates: [Contract.ageRange]
    case .unknownPerson: [Contract.guardian, Contract.administration]
    case .unknownQuestion: [Contract.permission, Contract.guardian]
    case .invalidConfiguration: [Contract.administration]
    case .alreadyDecided, .contentChanged, .unknownGrant: [Contract.guardian]
    case .subscriberTooSlow: [Contract.permission, Contract.guardian]
    }
  }

  @Test(arguments: refusals)
  func `a refusal is declared where it can be made, with exactly its parameters`(refusal: Refusal) throws {
    let interfaces = Self.interfaces(of: refusal)
    #expect(!interfaces.isEmpty)
    for name in interfaces {
      let reply = refusal.reply(on: name)
      let error = try #require(reply.error)
      #expect(!reply.continues)
      #expect(error.hasPrefix("\(name)."))
      let short = String(error.dropFirst(name.count + 1))
      let description = try Interfaces.named(name)
      let declared = try #require(description.errors.first { $0.name == short }, "\(error) is not declared")
      #expect(description.firstInvalidField(ofError: reply.parameters, error: short) == nil)
      #expect(Set(reply.parameters.members.map(\.name)) == Set(declared.fields.map(\.name)))
    }
  }

  @Test(arguments: Interfaces.all)
  func `an error that is declared can be made, or belongs to what is to come`(interface: InterfaceDescription) {
    let later = ["CoolingDown", "GatesChangedTooSoon"]
    let made = Self.refusals.filter { Self.interfaces(of: $0).contains(interface.name) }
      .compactMap { $0.reply(on: interface.name).error?.split(separator: ".").last.map(String.init) }
    let idle = interface.errors.map(\.name).filter { !made.contains($0) && !later.contains($0) }
    #expect(idle == [])
  }

  @Test func `what a refusal says is what the caller reads`() {
    #expect(
      Refusal.alreadyDecided(state: .expired, decidedAt: Instant(usec: 9)).reply(on: Contract.guardian)
        == Reply(error: "org.consentd.Guardian.AlreadyDecided", ["state": "expired", "decidedAtUSec": 9]))
    #expect(
      Refusal.notAvailable(reason: .noGuardian, retryable: false).reply(on: Contract.permission)
        == Reply(error: "org.consentd.Permission.NotAvailable", ["reason": "noGuardian", "retryable": false]))
    #expect(Refusal.keyConflict.reply(on: Contract.permission) == Reply(error: "org.consentd.Permission.KeyConflict"))
  }
}
