// SPDX-License-Identifier: Apache-2.0
//
// The guardian's side, as the developer of a companion calls it: see what is asked, show it, send back the choice a
// guardian made and the hash of what they were shown. A companion that fails answers nothing.

package import StrictJSON

/// Sees and answers the questions of the caller's own persons.
public struct GuardianClient: Sendable {
  public let daemon: Daemon

  public init(daemon: Daemon = Daemon()) { self.daemon = daemon }

  /// The open questions, one change `ready`, then every change. Who reads this is a companion.
  public func changes(person: String? = nil) -> ReplySequence<QuestionChange> {
    var parameters: JSONObject = [:]
    parameters["person"] = person.map(JSON.string)
    return daemon.stream(.guardians, "org.consentd.Guardian.WatchQuestions", parameters) { QuestionChange(json: $0) }
  }

  /// The open questions, oldest first.
  public func openQuestions(person: String? = nil, app: String? = nil) async throws(ConsentError) -> [Card] {
    var parameters: JSONObject = [:]
    parameters["person"] = person.map(JSON.string)
    parameters["app"] = app.map(JSON.string)
    return try await daemon.pages(.guardians, "org.consentd.Guardian.ListQuestions", parameters, of: "questions")
      .map { Card(json: $0) }
  }

  /// One question, by its id or a unique prefix of it.
  public func card(of question: String) async throws(ConsentError) -> Card {
    let reply = try await daemon.call(
      .guardians, "org.consentd.Guardian.DescribeQuestion", ["question": .string(question)])
    return Card(json: reply["question"]?.object ?? [:])
  }

  /// Answers the question of a card, for exactly the content the card shows. Refused with `InvalidValue` where the choice,
  /// the end or the items are not what is offered, and with `AlreadyDecided` where it ended otherwise before.
  /// - Parameters:
  ///   - choice: one of the card's.
  ///   - untilUSec: when the approval ends, in microseconds since the Unix epoch; with `approveUntil` and only with it.
  ///   - items: the part of a communication that is approved; `nil` for all of it.
  ///   - note: a word to whoever reads the record.
  ///   - guardian: whose answer it is, where a bridge speaks for somebody.
  public func answer(
    _ card: Card, choice: String, untilUSec: Int64? = nil, items: [GrantItem]? = nil, note: String? = nil,
    guardian: String? = nil
  ) async throws(ConsentError) -> Answered {
    var parameters: JSONObject = [
      "question": .string(card.question), "choice": .string(choice), "contentHash": .string(card.contentHash),
    ]
    parameters["untilUSec"] = untilUSec.map(JSON.integer)
    parameters["items"] = items.map { .array($0.map { .object($0.json) }) }
    parameters["note"] = note.map(JSON.string)
    parameters["guardian"] = guardian.map(JSON.string)
    return Answered(json: try await daemon.call(.guardians, GuardianClient.answerMethod, parameters))
  }

  package static let answerMethod = "org.consentd.Guardian.Answer"
}

/// What an answer came to.
public struct Answered: Sendable {
  package let json: JSONObject

  /// The state the question has now.
  public var state: String { json["state"]?.string ?? "" }
  /// How it ended; `nil` while it is pending.
  public var decision: Decision? { json["decision"]?.object.map(Decision.init) }
  /// Approvals given and needed.
  public var votes: (have: Int64, need: Int64) {
    let votes = json["votes"]?.object
    return (votes?["have"]?.integer ?? 0, votes?["need"]?.integer ?? 0)
  }
  /// How many waiting callers go on.
  public var waitersResumed: Int64 { json["waitersResumed"]?.integer ?? 0 }
}

extension Daemon {
  /// The elements of a list, from all its pages.
  package func pages(
    _ socket: Socket, _ method: String, _ parameters: JSONObject = [:], of list: String
  ) async throws(ConsentError) -> [JSONObject] {
    var elements: [JSONObject] = []
    var parameters = parameters
    repeat {
      let page = try await call(socket, method, parameters)
      elements += (page[list]?.array ?? []).compactMap(\.object)
      parameters["after"] = page["next"]?.string.map(JSON.string)
    } while parameters["after"] != nil
    return elements
  }
}
