// SPDX-License-Identifier: Apache-2.0
//
// Refusals become errors of the wire here, and nowhere else.
//
// Each interface declares its own errors, so the same refusal has another name on each; an error an interface does not
// declare cannot leave it (a test holds every interface's text against this file).

package import ConsentModel
import StrictJSON
package import Varlink

extension Refusal {
  /// The error reply on `interface`.
  package func reply(on interface: String) -> Reply {
    let (name, parameters) = wireForm
    return Reply(error: "\(interface).\(name)", parameters)
  }

  private var wireForm: (name: String, parameters: JSONObject) {
    switch self {
    case .notPermitted(let reason): ("NotPermitted", ["reason": .string(reason)])
    case .invalidValue(let field, let rule): ("InvalidValue", ["field": .string(field), "rule": .string(rule)])
    case .invalidTopic(let field, let rule): ("InvalidTopic", ["field": .string(field), "rule": .string(rule)])
    case .invalidGates(let gate, let rule): ("InvalidGates", ["gate": .integer(gate), "rule": .string(rule)])
    case .unknownPerson(let person): ("UnknownPerson", ["person": .string(person)])
    case .unknownQuestion(let question): ("UnknownQuestion", ["question": .string(question)])
    case .unknownGrant(let grant): ("UnknownGrant", ["grant": .string(grant)])
    case .notAvailable(let reason, let retryable):
      ("NotAvailable", ["reason": .string(reason.rawValue), "retryable": .bool(retryable)])
    case .tooManyPending(let limit): ("TooManyPending", ["limit": .integer(Int64(limit))])
    case .coolingDown(let until): ("CoolingDown", ["untilUSec": .integer(until.usec)])
    case .keyConflict: ("KeyConflict", [:])
    case .alreadyDecided(let state, let decidedAt):
      ("AlreadyDecided", ["state": .string(state.rawValue), "decidedAtUSec": .integer(decidedAt.usec)])
    case .contentChanged(let contentHash): ("ContentChanged", ["contentHash": .string(contentHash)])
    case .cursorExpired(let oldest, let newest):
      ("CursorExpired", ["oldest": .integer(oldest), "newest": .integer(newest)])
    case .invalidConfiguration(let file, let place, let reason):
      ("InvalidConfiguration", ["file": .string(file), "place": .string(place), "reason": .string(reason)])
    case .subscriberTooSlow(let sequence): ("SubscriberTooSlow", ["sequence": .integer(sequence)])
    }
  }
}
