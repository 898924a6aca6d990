// SPDX-License-Identifier: Apache-2.0
//
// org.consentd.Guardian: a guardian sees what is asked, answers it, and says how old somebody is.

import ConsentBroker
import ConsentInterface
import ConsentModel
import HostRuntime
import StrictJSON

/// The guardians' side of the broker.
@Loop
final class GuardianService: Service {
  /// Cards one page of a snapshot carries.
  private static let page = 32

  private let broker: Broker
  private let authority: Authority

  init(_ broker: Broker, _ authority: Authority) {
    self.broker = broker
    self.authority = authority
  }

  let interface = Contract.guardian

  var methods: [String: Method] {
    [
      "WatchQuestions": .stream(watchQuestions), "ListQuestions": .single(listQuestions),
      "DescribeQuestion": .single(describeQuestion), "Answer": .single(answer),
      "ListGrants": .immediate(listGrants), "Revoke": .single(revoke), "DeclareAge": .single(declareAge),
      "ListPeople": .immediate(listPeople), "ListSettings": .immediate(listSettings),
      "ChangeSetting": .single(changeSetting), "History": .immediate(history),
    ]
  }

  private func watchQuestions(_ exchange: Exchange) async throws(Refusal) {
    let viewer = try viewer(exchange)
    let person = try WatchQuestionsCall(exchange.parameters).person
    if let person { try broker.requireSight(of: person, for: viewer) }
    var earlier = Resumption.Watching(shown: [:], isReady: false)
    if case .watching(let watching)? = exchange.resumption { earlier = watching }
    let watcher = broker.watch(for: viewer, person: person, shown: earlier.shown)
    defer { broker.unwatch(watcher) }
    exchange.whenGone { watcher.doorbell.close() }
    rest(exchange, watcher, isReady: earlier.isReady)
    var sent = try await sendSnapshot(to: watcher, exchange)
    if !earlier.isReady { exchange.send(CardChange.ready.json) }
    rest(exchange, watcher, isReady: true)
    while await watcher.doorbell.wait() == .rung {
      while let changes = try broker.changes(for: watcher), !exchange.isOver {
        sent += await send(changes, exchange)
        if exchange.isTooSlow { throw .subscriberTooSlow(sequence: sent) }
        await Task.yield()
      }
    }
  }

  private func rest(_ exchange: Exchange, _ watcher: Watcher, isReady: Bool) {
    exchange.rest { .watching(Resumption.Watching(shown: watcher.shown, isReady: isReady)) }
  }

  /// Sends what is open, as fast as the peer reads, and tells how many cards that were.
  private func sendSnapshot(to watcher: Watcher, _ exchange: Exchange) async throws(Refusal) -> Int64 {
    var sent: Int64 = 0
    var place: Int64?
    repeat {
      let page = try broker.cards(
        for: watcher.viewer, person: watcher.person, app: nil, state: .pending, after: place, limit: Self.page)
      sent += await send(broker.changes(to: page.cards, for: watcher), exchange)
      await exchange.drained()
      place = page.next
    } while place != nil && !exchange.isOver
    return sent
  }

  /// Sends changes, notes that they were delivered, and tells how many they were.
  private func send(_ changes: [CardChange], _ exchange: Exchange) async -> Int64 {
    for change in changes { exchange.send(change.json) }
    if !exchange.isOver { await broker.noteDelivery(of: changes.compactMap(\.added)) }
    return Int64(changes.count)
  }

  private func listQuestions(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try ListQuestionsCall(exchange.parameters)
    let viewer = try viewer(exchange)
    if let person = call.person { try broker.requireSight(of: person, for: viewer) }
    let page = try broker.cards(
      for: viewer, person: call.person, app: call.app, state: call.state, after: try call.page.place,
      limit: call.page.limit)
    await broker.noteDelivery(of: page.cards)
    return Page(entries: page.cards, next: page.next.map(String.init)).json("questions", \.json)
  }

  private func describeQuestion(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let card = try await broker.describe(
      exchange.parameters.question, for: try viewer(exchange))
    return ["question": .object(card.json)]
  }

  private func answer(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try AnswerCall(exchange.parameters)
    do throws(Refusal) {
      return try await answer(call, exchange).json
    } catch {
      await broker.note(
        error,
        of: RefusedAnswer(
          peer: exchange.peer.uid, question: call.question, choice: call.choice, guardian: call.guardian))
      throw error
    }
  }

  private func answer(_ call: AnswerCall, _ exchange: Exchange) async throws(Refusal) -> Answered {
    let viewer = try viewer(exchange, speakingFor: call.guardian)
    return try await broker.answer(
      AnswerRequest(
        question: call.question, choice: call.choice, contentHash: call.contentHash, until: call.until,
        items: call.items, note: call.note, viewer: viewer))
  }

  private func history(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try ListCall(exchange.parameters)
    let viewer = try viewer(exchange)
    if let person = call.person { try broker.requireSight(of: person, for: viewer) }
    let page = try broker.history(
      for: viewer, person: call.person, app: call.app, after: try call.page.place, limit: call.page.limit)
    return Page(entries: page.entries, next: page.next.map(String.init)).json("entries", \.json)
  }

  private func listGrants(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try ListCall(exchange.parameters)
    let viewer = try viewer(exchange)
    if let person = call.person { try broker.requireSight(of: person, for: viewer) }
    let page = try broker.grants(
      for: viewer, person: call.person, app: call.app, after: try call.page.place { GrantsPlace($0) },
      limit: call.page.limit)
    return Page(entries: page.grants, next: page.next?.text).json("grants", \.json)
  }

  private func revoke(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try RevokeCall(exchange.parameters)
    let viewer = try viewer(exchange)
    let what: Revocable
    if let person = call.person {
      try broker.requireSight(of: person, for: viewer)
      what = .person(person, app: call.app)
    } else {
      what = .grant(call.grant ?? "")
    }
    let ended = try await broker.revoke(what, note: call.note, by: viewer)
    return ["grants": .array(ended.map { .object($0.json) })]
  }

  private func declareAge(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try DeclareAgeCall(exchange.parameters)
    let declarer = Declarer.peer(
      exchange.peer.uid, isAdministrator: authority.isAdministrator(exchange.peer))
    let declaration = try await broker.declareAge(
      try call.age(today: broker.clock.today), of: call.person, by: declarer, assurance: call.assurance)
    return ["declaration": .string(declaration.description)]
  }

  private func listPeople(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try PageCall(exchange.parameters)
    let page = try broker.people(
      .own(try viewer(exchange)), after: call.after, limit: call.limit)
    return Page(entries: page.people, next: page.next).json("people", \.json)
  }

  private func listSettings(_ exchange: Exchange) throws(Refusal) -> JSONObject {
    let call = try ListSettingsCall(exchange.parameters)
    let viewer = try viewer(exchange)
    if let person = call.person { try broker.requireSight(of: person, for: viewer) }
    let page = try broker.settings(
      for: viewer, person: call.person, app: call.app, after: call.after, limit: call.limit)
    return Page(entries: page.settings, next: page.next?.description).json("settings", \.json)
  }

  private func changeSetting(_ exchange: Exchange) async throws(Refusal) -> JSONObject {
    let call = try ChangeSettingCall(exchange.parameters)
    let viewer = try viewer(exchange, speakingFor: call.guardian)
    let setting = try await broker.change(
      SettingChange(person: call.person, app: call.app, name: call.setting, value: call.value, viewer: viewer))
    return ["setting": .object(setting.json)]
  }

  /// For whom the caller looks and answers. Refuses where its uid is somebody else's than when it became a guardian.
  private func viewer(_ exchange: Exchange, speakingFor guardian: Guardian? = nil) throws(Refusal) -> Viewer {
    let viewer = try authority.viewer(exchange.peer, speakingFor: guardian)
    try broker.requireUnchanged(viewer)
    return viewer
  }
}
