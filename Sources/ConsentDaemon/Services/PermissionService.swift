// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.Permission: an app looks, asks, waits, takes back, and follows its events.

import ConsentBroker
import ConsentInterface
import ConsentModel
import HostRuntime
import StrictJSON
import Varlink

/// The apps' side of the broker.
@Loop
final class PermissionService: Service {
  /// Events one page of a replay carries.
  private static let page = 64

  private let broker: Broker
  private let authority: Authority

  init(_ broker: Broker, _ authority: Authority) {
    self.broker = broker
    self.authority = authority
  }

  let interface = Contract.permission

  var methods: [String: Method] {
    [
      "GetStatus": .immediate(getStatus), "Ask": .single(ask), "Await": .single(awaitDecision),
      "Request": .single(request),
      "Withdraw": .single(withdraw), "Acknowledge": .single(acknowledge), "Responses": .stream(responses),
    ]
  }

  private func getStatus(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try GetStatusCall(exchange.parameters)
    let speaker = try authority.speaker(exchange.peer, call.speaking)
    let status = try broker.status(
      StatusRequest(
        asker: speaker.asker, provenance: speaker.provenance, person: speaker.person, subject: call.subject,
        sinceVersion: call.sinceVersion))
    return status.answer.json(topicKey: status.topicKey)
  }

  private func ask(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    try await asked(exchange).json
  }

  private func request(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let timeout = try AwaitCall.timeout(exchange.parameters)
    let waiter = try waiter(of: exchange, timeoutUSec: timeout)
    if let wait = try earlierWait(of: exchange) { return try await decided(after: wait, exchange, waiter) }
    let asked = try await asked(exchange)
    guard case .question(let standing) = asked.verdict else { return asked.json }
    let wait = Resumption.Wait(
      question: standing.decision.question, joined: standing.joined, untilBootUSec: broker.deadline(in: timeout))
    return try await decided(after: wait, exchange, waiter)
  }

  /// The reply of a `Request` that waits.
  private func decided(
    after wait: Resumption.Wait, _ exchange: Exchange, _ waiter: Waiter
  ) async throws(Refusal) -> JSONObject {
    guard let question = try await end(of: wait, exchange, waiter, isFollowing: true) else { return [:] }
    return Asked.json(after: try broker.standing(of: question, joined: wait.joined))
  }

  /// Waits as long as the caller does, and gives the question it waited for in the end; `nil`: the caller has left.
  private func end(
    of wait: Resumption.Wait, _ exchange: Exchange, _ waiter: Waiter, isFollowing: Bool
  ) async throws(Refusal) -> QuestionID? {
    exchange.rest { .waiting(wait.now(for: waiter.question)) }
    return try await broker.wait(
      for: wait.question, until: wait.untilBootUSec, as: waiter, isFollowing: isFollowing)
  }

  /// The wait that an earlier process left, for a question that the caller may still see.
  private func earlierWait(of exchange: Exchange) throws(Refusal) -> Resumption.Wait? {
    guard case .waiting(let wait)? = exchange.resumption else { return nil }
    _ = try broker.look(at: wait.question.text, asUID: exchange.peer.uid)
    return wait
  }

  private func asked(_ exchange: Exchange) async throws(Refusal) -> Asked {
    let call = try AskCall(exchange.parameters)
    let speaker = try authority.speaker(exchange.peer, call.speaking)
    return try await broker.ask(
      AskRequest(
        asker: speaker.asker, provenance: speaker.provenance, person: speaker.person, topic: call.topic, key: call.key,
        expiresInUSec: call.expiresInUSec, appVersion: call.appVersion))
  }

  private func awaitDecision(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try AwaitCall(exchange.parameters)
    let waiter = try waiter(of: exchange, timeoutUSec: call.timeoutUSec)
    var wait = try earlierWait(of: exchange)
    if wait == nil {
      let question = try broker.look(at: call.question, asUID: exchange.peer.uid).question
      wait = Resumption.Wait(question: question, joined: true, untilBootUSec: broker.deadline(in: call.timeoutUSec))
    }
    guard let wait, let ended = try await end(of: wait, exchange, waiter, isFollowing: false) else { return [:] }
    return try broker.decision(on: ended).json
  }

  /// The caller as somebody who may wait: its hang-up ends the wait, whenever it comes. A oneway call waits for nothing.
  private func waiter(of exchange: Exchange, timeoutUSec: Int64) throws(Refusal) -> Waiter {
    if timeoutUSec > 0 { try exchange.beginWaiting() }
    let waiter = Waiter()
    exchange.whenGone { [broker] in broker.leave(waiter) }
    if exchange.call.oneway { broker.leave(waiter) }
    return waiter
  }

  private func withdraw(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let question = exchange.parameters.question
    let decision = try await broker.withdraw(question, asUID: exchange.peer.uid)
    return ["state": .string(decision.state.rawValue), "nextAction": .string(decision.nextAction.rawValue)]
  }

  private func acknowledge(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try AcknowledgeCall(exchange.parameters)
    let speaker = try authority.speaker(exchange.peer, call.speaking)
    try await broker.acknowledge(call.sequence, of: speaker.asker)
    return [:]
  }

  private func responses(_ exchange: Exchange) async throws(Refusal) {
    let call = try ResponsesCall(exchange.parameters)
    let speaker = try authority.speaker(exchange.peer, call.speaking)
    var earlier: Resumption.Following?
    if case .following(let following)? = exchange.resumption { earlier = following }
    guard earlier == nil || earlier?.standing == speaker.standing else { throw Self.speaksOtherwise }
    let doorbell = broker.follow(speaker.asker)
    defer { broker.unfollow(speaker.asker, doorbell) }
    exchange.whenGone { doorbell.close() }
    let start = try broker.startingCursor(of: speaker.asker, after: earlier?.after ?? call.after)
    var place = Place(call: call, speaker: speaker, edition: authority.edition, cursor: start)
    if earlier?.isReady != true {
      try await replay(to: exchange, &place)
      exchange.send(ready(at: place.cursor))
    }
    try follow(to: exchange, &place)
    while await doorbell.wait() == .rung { try follow(to: exchange, &place) }
  }

  /// Where a stream of events has come to.
  private struct Place {
    let call: ResponsesCall
    let speaker: Authority.Speaker
    /// By which edition of the configuration that is the speaker.
    var edition: Int
    var cursor: Int64
  }

  private static let speaksOtherwise = Refusal.notPermitted(
    reason: "by the configuration as it is now, this stream would be another app's: open a new one")

  /// Ends the stream where the configuration was read anew and makes the caller somebody else.
  private func review(_ place: inout Place, of exchange: Exchange) throws(Refusal) {
    guard place.edition != authority.edition else { return }
    let speaker = try authority.speaker(exchange.peer, place.call.speaking)
    guard speaker.standing == place.speaker.standing else { throw Self.speaksOtherwise }
    place.edition = authority.edition
  }

  /// Sends every event behind the place, as fast as the peer reads.
  private func replay(to exchange: Exchange, _ place: inout Place) async throws(Refusal) {
    var hasMore = true
    while hasMore, !exchange.isOver {
      hasMore = try sendPage(to: exchange, &place)
      rest(exchange, at: place, isReady: false)
      await exchange.drained()
    }
  }

  /// Sends every event behind the place at once; a subscriber that falls behind by too much is refused.
  private func follow(to exchange: Exchange, _ place: inout Place) throws(Refusal) {
    var hasMore = true
    while hasMore {
      hasMore = try sendLivePage(to: exchange, &place)
      if exchange.isTooSlow { throw .subscriberTooSlow(sequence: place.cursor) }
    }
    rest(exchange, at: place, isReady: true)
  }

  private func rest(_ exchange: Exchange, at place: Place, isReady: Bool) {
    exchange.rest {
      .following(.init(after: place.cursor, isReady: isReady, standing: place.speaker.standing))
    }
  }

  /// Sends one page of events and tells whether there are more.
  private func sendPage(to exchange: Exchange, _ place: inout Place) throws(Refusal) -> Bool {
    try review(&place, of: exchange)
    let page = try broker.events(
      of: place.speaker.asker, about: place.speaker.subject, after: place.cursor, limit: Self.page)
    for event in page.events where place.call.wants(event.kind) {
      exchange.send(encoded: broker.encoded(event, Self.encode))
    }
    place.cursor = page.cursor
    return page.hasMore
  }

  /// Sends one page of what happens now, which the asker's other streams are sent as well.
  private func sendLivePage(to exchange: Exchange, _ place: inout Place) throws(Refusal) -> Bool {
    try review(&place, of: exchange)
    let page = try broker.liveEvents(
      of: place.speaker.asker, about: place.speaker.subject, after: place.cursor, limit: Self.page)
    for event in page.events where place.call.wants(event.event.kind) {
      exchange.send(encoded: broker.encoded(event, Self.encode))
    }
    place.cursor = page.cursor
    return page.hasMore
  }

  private static func encode(_ event: AskerEvent) -> [UInt8] { Reply(event.json, continues: true).encoded() }

  private func ready(at cursor: Int64) -> JSONObject {
    AskerEvent(sequence: cursor, kind: .ready, at: broker.clock.now).json
  }
}
