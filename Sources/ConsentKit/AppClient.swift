// SPDX-License-Identifier: Apache-2.0
//
// The app's side, as its developer calls it. Asking is durable: once a call has returned with a question's id, the
// question outlives the app, the daemon and the machine's next start, and its answer is found in `responses`.
// A wait that ends by its timeout or by a lost connection ends no question.

import HostRuntime
import StrictJSON

/// Asks the daemon on behalf of one app and, where it is not the caller's own uid, one person.
public struct AppClient: Sendable {
  public let daemon: Daemon
  /// `uid:1001` or `account:…`; `nil`: the caller's uid.
  public let person: String?
  /// A reverse-domain id; `nil`: the entry that matches the caller, else none.
  public let app: String?

  public init(daemon: Daemon = Daemon(), person: String? = nil, app: String? = nil) {
    self.daemon = daemon
    self.person = person
    self.app = app
  }

  /// The longest wait that is asked of the daemon at once; it allows an hour.
  private static let longestWaitUSec: Int64 = 3_300_000_000

  /// Where a topic stands. Asks nobody.
  public func status(of topic: Topic) async throws(ConsentError) -> TopicStatus {
    TopicStatus(json: try await call("GetStatus", named(["topic": .object(topic.json)])))
  }

  /// Puts a topic to the guardians, or joins the open question that asks the same.
  public func ask(_ topic: Topic, _ terms: AskTerms = AskTerms()) async throws(ConsentError) -> Decision {
    Decision(try await call("Ask", asking(topic, terms)))
  }

  /// Asks and waits in one go. With the state `pending`, the timeout passed and the question stays open.
  public func request(
    _ topic: Topic, _ terms: AskTerms = AskTerms(), timeout: Duration
  ) async throws(ConsentError) -> Decision {
    let deadline = AppClient.deadline(timeout)
    var parameters = asking(topic, terms)
    parameters["timeoutUSec"] = .integer(AppClient.nextWait(before: deadline))
    let decision = Decision(try await call("Request", parameters))
    guard decision.state == "pending", let question = decision.question, HostClock.bootUSec() < deadline else {
      return decision
    }
    return try await self.decision(of: question, before: deadline)
  }

  /// Waits for a question to end. Without a timeout, until it has; with one, the state may still be `pending`.
  public func decision(of question: String, timeout: Duration? = nil) async throws(ConsentError) -> Decision {
    try await decision(of: question, before: timeout.map(AppClient.deadline) ?? .max)
  }

  /// Takes a question back; the state says what it is now.
  public func withdraw(_ question: String) async throws(ConsentError) -> Decision {
    Decision(try await call("Withdraw", ["question": .string(question)]))
  }

  /// What happened to this app's questions and grants: the past behind `after` (`nil`: behind the last acknowledged),
  /// one event `ready`, then the present.
  public func responses(after: Int64? = nil, kinds: [String] = []) -> ReplySequence<ConsentEvent> {
    var parameters = named([:])
    parameters["after"] = after.map(JSON.integer)
    if !kinds.isEmpty { parameters["kinds"] = .array(kinds.map(JSON.string)) }
    return daemon.stream(.apps, "org.consentd.Permission.Responses", parameters) { ConsentEvent(json: $0) }
  }

  /// Says that every event up to `sequence` is dealt with.
  public func acknowledge(_ sequence: Int64) async throws(ConsentError) {
    _ = try await call("Acknowledge", named(["sequence": .integer(sequence)]))
  }

  /// Where the person's age lies between the gates (`[]`: the policy's). Asks nobody.
  public func ageRange(gates: [Int64] = []) async throws(ConsentError) -> AgeAnswer {
    let parameters: JSONObject = gates.isEmpty ? [:] : ["gates": .array(gates.map(JSON.integer))]
    return AgeAnswer(json: try await daemon.call(.apps, "org.consentd.AgeRange.GetAgeRange", named(parameters)))
  }
}

/// The terms a topic is asked under.
public struct AskTerms: Sendable {
  /// Names the ask, so that asking twice makes one question.
  public var key: String?
  /// How long the question may stay open; `nil`: as long as the daemon thinks right.
  public var expires: Duration?
  /// The version of the app that asks.
  public var appVersion: String?

  public init(key: String? = nil, expires: Duration? = nil, appVersion: String? = nil) {
    self.key = key
    self.expires = expires
    self.appVersion = appVersion
  }
}

extension AppClient {
  private func call(_ method: String, _ parameters: JSONObject) async throws(ConsentError) -> JSONObject {
    try await daemon.call(.apps, "org.consentd.Permission.\(method)", parameters)
  }

  private func named(_ parameters: JSONObject) -> JSONObject {
    var parameters = parameters
    parameters["person"] = person.map(JSON.string)
    parameters["app"] = app.map(JSON.string)
    return parameters
  }

  private func asking(_ topic: Topic, _ terms: AskTerms) -> JSONObject {
    var parameters: JSONObject = ["topic": .object(topic.json)]
    parameters["key"] = terms.key.map(JSON.string)
    parameters["expiresInUSec"] = terms.expires.map { .integer($0.microseconds) }
    parameters["appVersion"] = terms.appVersion.map(JSON.string)
    return named(parameters)
  }

  private func decision(of question: String, before deadline: Int64) async throws(ConsentError) -> Decision {
    while true {
      let wait = AppClient.nextWait(before: deadline)
      let decision = Decision(
        try await call("Await", ["question": .string(question), "timeoutUSec": .integer(wait)]))
      if decision.state != "pending" || HostClock.bootUSec() >= deadline { return decision }
    }
  }

  private static func deadline(_ timeout: Duration) -> Int64 {
    let sum = HostClock.bootUSec().addingReportingOverflow(timeout.microseconds)
    return sum.overflow ? .max : sum.partialValue
  }

  private static func nextWait(before deadline: Int64) -> Int64 {
    max(0, min(deadline - HostClock.bootUSec(), longestWaitUSec))
  }
}
