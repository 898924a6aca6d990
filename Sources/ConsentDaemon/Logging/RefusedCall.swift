// SPDX-License-Identifier: Apache-2.0
//
// A refusal that an administrator wants to know of: somebody tries what is not theirs, nobody could be asked, a limit
// was reached. A caller's own mistakes are the caller's to read.

import ConsentModel
import HostRuntime
import StrictJSON
import Varlink

/// A call that was refused, as far as it is logged.
struct RefusedCall: Sendable {
  let kind: LogKind
  let uid: UserID
  /// The method's full name, one of ours.
  let method: String
  let reason: String
  private let person: Person?
  private let app: AppID?
  private let topic: TopicKind?

  /// `nil` where the refusal is none that is logged. What the caller says of itself is taken only where it has a form
  /// that holds no text.
  @Loop
  init?(_ refusal: Refusal, of exchange: Exchange) {
    switch refusal {
    case .notPermitted(let reason): (kind, self.reason) = (.notPermitted, reason)
    case .notAvailable(.noGuardian, _): (kind, reason) = (.nobodyToAsk, "nobody may answer for the person")
    case .subscriberTooSlow: (kind, reason) = (.limitReached, "it reads too slowly")
    default: return nil
    }
    uid = exchange.peer.uid
    method = exchange.call.method
    let parameters = exchange.parameters
    let named = parameters["person"]?.string.flatMap { try? Person(parsing: $0) }
    person = named ?? (kind == .nobodyToAsk ? .user(exchange.peer.uid) : nil)
    app = parameters["app"]?.string.flatMap { try? AppID(parsing: $0) }
    topic = parameters["topic"]?.object?["kind"]?.string.flatMap(TopicKind.init(rawValue:))
  }

  var sentence: String { "refused \(method) to uid \(uid): \(reason)" }

  var fields: [Journal.Field] {
    (person.map { [("CONSENT_PERSON", "\($0)")] } ?? []) + (app.map { [("CONSENT_APP", $0.text)] } ?? [])
      + (topic.map { [("CONSENT_TOPIC", $0.rawValue)] } ?? []) + [("CONSENT_UID", "\(uid)")]
  }
}
