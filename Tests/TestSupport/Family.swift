// SPDX-License-Identifier: Apache-2.0
//
// The smallest world in which something can be asked: a sandboxed daemon, a person, a guardian, one connection of an
// app and one of a companion. One uid plays every role, as the sandbox allows.

package import StrictJSON

/// `uid:5001`, whose guardian is `uid:5000`.
package final class Family {
  package static let person = "uid:5001"
  package static let guardian = "uid:5000"
  package static let hour: Int64 = 3_600_000_000
  package static let day = 24 * hour

  package let daemon: Daemon
  /// A connection to the apps' socket; made anew after the daemon was started again.
  package private(set) var app: TestClient
  /// A connection to the guardians' socket; made anew after the daemon was started again.
  package private(set) var desk: TestClient

  /// Starts a daemon and enrols the family.
  /// - Parameters:
  ///   - born: the person's birth date as their guardian declares it; without one the age is unknown.
  ///   - guardians: enrolled in this order.
  package init(born: String? = nil, guardians: [String] = [Family.guardian], daemon: Daemon? = nil) throws {
    self.daemon = try daemon ?? Daemon.sandbox()
    app = try self.daemon.apps()
    desk = try self.daemon.guardians()
    try desk.administration("AddPerson", ["person": .string(Family.person), "displayName": "Mia"])
    for guardian in guardians {
      try desk.administration("AddGuardian", ["person": .string(Family.person), "guardian": .string(guardian)])
    }
    if let born {
      try desk.guardian("DeclareAge", ["person": .string(Family.person), "birthDate": .string(born)])
    }
  }

  /// Starts the daemon again after it ended, and connects again.
  package func startAgain() throws {
    try daemon.start()
    app = try daemon.apps()
    desk = try daemon.guardians()
  }

  /// The parameters of an `Ask`, `Request` or `GetStatus` for the person, with `others` added.
  package func asking(_ topic: JSONObject, _ others: JSONObject = [:]) -> JSONObject {
    (["topic": .object(topic), "person": .string(Family.person)] as JSONObject).with(others)
  }

  /// Asks, and gives the reply.
  @discardableResult
  package func ask(_ topic: JSONObject, _ others: JSONObject = [:]) throws -> JSONObject {
    try app.permission("Ask", asking(topic, others))
  }

  /// Asks, and gives the id of the question.
  package func question(_ topic: JSONObject, _ others: JSONObject = [:]) throws -> String {
    try ask(topic, others).text("question")
  }

  /// Answers as the first guardian, and gives the reply.
  @discardableResult
  package func answer(_ question: String, _ choice: String, _ others: JSONObject = [:]) throws -> JSONObject {
    let answer: JSONObject = ["question": .string(question), "choice": .string(choice)]
    return try desk.guardian("Answer", answer.with(others))
  }

  /// Where a question stands now, without waiting.
  package func look(_ question: String) throws -> JSONObject {
    try app.permission("Await", ["question": .string(question), "timeoutUSec": 0])
  }

  /// The status of a topic for the person.
  package func status(_ topic: JSONObject, _ others: JSONObject = [:]) throws -> JSONObject {
    try app.permission("GetStatus", asking(topic, others))
  }

  /// The card of a question as the companion sees it. Marks it as seen.
  package func card(_ question: String) throws -> JSONObject {
    try desk.guardian("DescribeQuestion", ["question": .string(question)]).member("question")
  }

  /// A new connection on which `Await` is parked for `question`.
  package func waiter(for question: String, _ others: JSONObject = [:]) throws -> TestClient {
    let before = try statistics().number("waiters")
    let waiter = try daemon.apps()
    try waiter.send("\(Interface.permission).Await", (["question": .string(question)] as JSONObject).with(others))
    try settle(waiters: before + 1)
    return waiter
  }

  /// A new connection on which `Request` is parked.
  package func requester(_ topic: JSONObject, _ others: JSONObject = [:]) throws -> TestClient {
    let before = try statistics().number("waiters")
    let requester = try daemon.apps()
    try requester.send("\(Interface.permission).Request", asking(topic, others))
    try settle(waiters: before + 1)
    return requester
  }

  /// Returns when exactly `count` callers are parked.
  package func settle(waiters count: Int64) throws {
    try settle("waiters", count)
  }

  /// Returns when the statistic `name` is `count`: each round trip gives the daemon a turn.
  package func settle(_ name: String, _ count: Int64) throws {
    let deadline = Deadline()
    while try statistics().number(name) != count {
      guard !deadline.hasPassed else { throw TestFailure("never \(count) \(name): \(try statistics().json)") }
    }
  }

  /// What the daemon counts.
  package func statistics() throws -> JSONObject { try desk.administration("GetStatistics") }

  /// Moves the daemon's clocks forward by microseconds, and gives the new time.
  @discardableResult
  package func advance(_ microseconds: Int64) throws -> Int64 {
    try desk.call("\(Interface.sandbox).AdvanceClock", ["byUSec": .integer(microseconds)]).number("nowUSec")
  }

  /// A new connection on which the events of the person's questions arrive.
  package func responses(_ others: JSONObject = [:]) throws -> EventStream {
    try EventStream(
      try daemon.apps(), "\(Interface.permission).Responses",
      (["person": .string(Family.person)] as JSONObject).with(others))
  }

  /// A new connection on which the guardian's questions arrive.
  package func watch(_ parameters: JSONObject = [:]) throws -> EventStream {
    try EventStream(try daemon.guardians(), "\(Interface.guardian).WatchQuestions", parameters)
  }
}
