// SPDX-License-Identifier: Apache-2.0
//
// What is remembered so that nobody is nagged. Every ending of a question comes through here, whoever brought it about,
// so what is remembered and what happened cannot come apart. It is remembered also where nobody minds how often is
// asked: whoever turns the rules on wants them to know what was.

import ConsentModel
import ConsentStore

extension Transaction {
  /// Notes how a question ended for whoever asks its like again.
  func remember(_ question: QuestionRow, endedBy ending: EndingRow) throws {
    guard question.erasedAt == nil else { return }
    let (scope, subject) = (try question.scope.description, try question.coolDownSubject)
    let known = try rows.coolDown(person: question.person, scope: scope, subject: subject)
    let before = known.map(CoolDown.init)
    let after = CoolDownRule.after(
      try QuestionState(stored: ending.state), reason: ending.reason.flatMap(Reason.init(rawValue:)),
      wasDelivered: question.deliveredAt != nil, at: Instant(usec: ending.endedAt), before)
    guard after != before else { return }
    guard let after else {
      return try rows.deleteCoolDowns(person: question.person, scope: scope, subject: subject)
    }
    try rows.put(CoolDownRow(after, person: question.person, scope: scope, subject: subject))
  }

  /// Notes that a question was put; `asNews` where only because its change is new.
  func rememberAsked(_ question: QuestionRow, asNews: Bool) throws {
    let scope = try question.scope.description
    if let oldest = now.adding(usec: -BudgetRule.windowUSec) {
      _ = try rows.deleteRecentQuestions(before: oldest.usec)
    }
    try rows.insertRecentQuestion(
      person: question.person, scope: scope, askedAt: question.askedAt, question: question.id)
    guard asNews else { return }
    let subject = try question.coolDownSubject
    guard var known = try rows.coolDown(person: question.person, scope: scope, subject: subject) else { return }
    known.newsAt = now.usec
    try rows.put(known)
  }
}

extension StoreReader {
  /// Whether it is time for a question of an asker about a topic; `nil` where nobody minds. `overdue` are its questions
  /// that have expired and are not yet known to.
  func manners(
    of request: (asker: Asker, provenance: Provenance), about person: Person, _ subject: Subject, topicKey: String,
    overdue: [QuestionRow], _ rules: BrokerRules, at now: Instant
  ) throws -> AskFacts.Manners? {
    guard let numbers = rules.coolDowns else { return nil }
    let scope = AskingScope(of: request.asker, provenance: request.provenance).description
    let name = CoolDownRule.subject(of: subject.kind, topicKey: topicKey)
    let isNews =
      try subject.kind == .significantUpdate
      && latestQuestion(person: person.description, asker: AskerKey(request.asker), topicKey: topicKey) == nil
    let after = Instant(usec: now.usec - BudgetRule.windowUSec)
    return AskFacts.Manners(
      numbers: numbers,
      coolDown: try coolDown(person: person.description, scope: scope, subject: name).map(CoolDown.init)
        .counting(overdue),
      isNews: isNews,
      recent: try recentQuestions(person: person.description, scope: scope, after: after.usec).map { Instant(usec: $0) })
  }

  /// What a guardian settled about a topic for an asker: for its app, else for every app.
  func settled(_ subject: Subject, of person: Person, for asker: Asker) throws -> SettledTopic? {
    func value(_ name: String) throws -> String? {
      let own = try asker.app.flatMap { try setting(person: person.description, app: $0.text, name: name) }
      return try (own ?? setting(person: person.description, app: "", name: name))?.value
    }
    return SettledTopic(
      resource: try SettledTopic.setting(of: subject).flatMap(value), neverAsk: try value(SettledTopic.neverAskSetting))
  }

  /// Whether the person never had a registered app without a change.
  func isInstalledAfter(
    _ sinceVersion: String?, _ kind: TopicKind, of person: Person, for asker: Asker, _ provenance: Provenance,
    _ rules: BrokerRules
  ) throws -> Bool {
    guard kind == .significantUpdate, provenance == .registered, let sinceVersion,
      let entry = asker.app.flatMap({ rules.apps.entry($0) })
    else { return false }
    return InstallationRule.isInstalledAfter(
      first: try firstVersion(person: person.description, asker: AskerKey(asker)), since: sinceVersion,
      versions: entry.versions)
  }
}

extension QuestionRow {
  /// Who shares its cool-down and its budget.
  var scope: AskingScope {
    get throws {
      guard let provenance = Provenance(rawValue: provenance) else {
        throw StoreError.damaged(detail: "the provenance of question \(id) does not read")
      }
      return AskingScope(of: try Asker(asker), provenance: provenance)
    }
  }

  fileprivate var coolDownSubject: String {
    get throws {
      guard let kind = TopicKind(rawValue: kind) else {
        throw StoreError.damaged(detail: "the kind of question \(id) does not read")
      }
      return CoolDownRule.subject(of: kind, topicKey: topicKey)
    }
  }

  /// Whether an ask of the same by the same would be refused at `now` for having been asked before.
  func isCooling(_ rules: BrokerRules, in rows: any StoreReader, at now: Instant) throws -> Bool {
    guard let numbers = rules.coolDowns, erasedAt == nil else { return false }
    let known = try rows.coolDown(person: person, scope: try scope.description, subject: try coolDownSubject)
    let isOverdue = try isPending && state(at: now) == .expired
    let coolDown = known.map(CoolDown.init).counting(isOverdue ? [self] : [])
    if case .cooling = CoolDownRule.verdict(coolDown, isNews: false, numbers, now: now) { return true }
    return false
  }
}

extension CoolDown? {
  /// What is remembered once questions whose time is up are known to have expired.
  fileprivate func counting(_ overdue: [QuestionRow]) -> CoolDown? {
    overdue.reduce(self) { known, question in
      CoolDownRule.after(
        .expired, reason: nil, wasDelivered: question.deliveredAt != nil, at: Instant(usec: question.expiresAt), known)
    }
  }
}

extension CoolDown {
  init(_ row: CoolDownRow) {
    self.init(
      denials: row.denials, deniedAt: row.deniedAt.map { Instant(usec: $0) },
      lapsedAt: row.lapsedAt.map { Instant(usec: $0) }, newsAt: row.newsAt.map { Instant(usec: $0) })
  }
}

extension CoolDownRow {
  fileprivate init(_ coolDown: CoolDown, person: String, scope: String, subject: String) {
    self.init(
      person: person, scope: scope, subject: subject, denials: coolDown.denials, deniedAt: coolDown.deniedAt?.usec,
      lapsedAt: coolDown.lapsedAt?.usec, newsAt: coolDown.newsAt?.usec)
  }
}
