// SPDX-License-Identifier: Apache-2.0
//
// Chance decides who does what, and when; the seed decides chance. A life that does not agree with the model stops at
// once and says where, so that the same seed shows it again.

import StrictJSON
import TestSupport

/// One family's year.
struct YearLife {
  private static let topics: [YearTopic] = [
    .update("1.0"), .update("2.0"), .update("3.0"), .talk(["Ann"], ["message"]),
    .talk(["Ann"], ["message", "videoCall"]), .talk(["Ann", "Bob"], ["message", "videoCall"]),
    .resource("org.example.screenTime"),
  ]

  let seed: UInt64
  private var chance: SeededGenerator
  private let home: YearHousehold
  private var step = 0
  private var trace: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    chance = SeededGenerator(seed: seed)
    home = try YearHousehold()
  }

  /// Lives it, and gives what did not agree: nothing, or a report of where.
  mutating func run(days: Int64 = 365) throws -> [String] {
    let end = home.model.now + days * YearModel.day
    var nextCheck = home.model.now
    while home.model.now < end {
      step += 1
      try act()
      try look()
      if home.model.now >= nextCheck, home.complaints.isEmpty {
        nextCheck = home.model.now + YearModel.day
        try day()
      }
      if !home.complaints.isEmpty { return report() }
    }
    try home.checkEvents()
    for question in home.model.questions { try home.look(question.number) }
    return home.complaints.isEmpty ? [] : report()
  }

  /// How much happened, so that a year in which nothing does is not taken for one that went well.
  var tally: (questions: Int, grants: Int, states: Set<String>) {
    (home.model.questions.count, home.model.grants.count, Set(home.model.questions.map(\.state)))
  }

  private func report() -> [String] {
    ["seed \(seed), step \(step)"] + home.complaints.prefix(5) + trace.suffix(25)
  }

  private mutating func look() throws {
    try home.checkWaiters()
    try home.bindGrants()
    try home.settleWaiters()
    for asker in YearHousehold.askers { try home.followers[asker]?.read() }
  }

  private mutating func day() throws {
    try home.checkStatuses(of: YearLife.topics)
    try home.checkGrants()
    for question in home.model.questions.suffix(8) { try home.look(question.number) }
  }

  // MARK: Chance

  private mutating func roll(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &chance) }

  private mutating func pick<Element>(_ all: [Element]) -> Element? { all.randomElement(using: &chance) }

  private mutating func note(_ words: String) {
    trace.append("\(step) at \(home.model.now / YearModel.second): \(words)")
  }

  private mutating func act() throws {
    try passTime()
    switch roll(100) {
    case ..<28: try ask()
    case ..<36: try request()
    case ..<42: try withdraw()
    case ..<50: try describe()
    case ..<78: try answer()
    case ..<84: try revoke()
    case ..<90: try set()
    case ..<94: try changeGuardians()
    case ..<96: try kill()
    default: try reconnect()
    }
  }

  private mutating func passTime() throws {
    let span: Int64 =
      switch roll(10) {
      case ..<3: 0
      case ..<6: Int64(roll(90)) * 60 * YearModel.second
      case ..<9: Int64(1 + roll(12)) * YearModel.hour
      default: Int64(1 + roll(60)) * 3 * YearModel.hour
      }
    try home.pass(span)
    try home.checkWaiters()
  }

  private mutating func topic() -> YearTopic {
    let topic = pick(YearLife.topics) ?? YearLife.topics[0]
    guard roll(6) == 0, topic.kind != .communication else { return topic }
    return YearTopic(kind: topic.kind, subject: topic.subject, items: topic.items, text: "Other words.")
  }

  private mutating func asker() -> YearAsker { pick(YearHousehold.askers) ?? YearHousehold.askers[0] }

  private mutating func ask() throws {
    let (asker, topic) = (asker(), topic())
    let key = roll(4) == 0 ? "key-\(roll(6))" : nil
    let life = roll(2) == 0 ? Int64(1 + roll(240)) * YearModel.hour : nil
    note("\(asker) asks \(topic.key) \(topic.items.sorted()) '\(topic.text)' key \(key ?? "-") life \(life ?? 0)")
    try home.ask(asker, topic, key: key, life: life)
  }

  private mutating func request() throws {
    guard home.waiters.count < 6 else { return }
    let (asker, topic) = (asker(), topic())
    note("\(asker) requests \(topic.key) \(topic.items.sorted()) '\(topic.text)'")
    try home.request(asker, topic, timeout: Int64(5 + roll(55)) * 60 * YearModel.second)
  }

  /// A question; mostly one that is open.
  private mutating func question() -> YearQuestion? {
    let open = home.model.questions.filter(\.isOpen)
    return open.isEmpty || roll(6) == 0 ? pick(home.model.questions.suffix(12)) : pick(open)
  }

  private mutating func withdraw() throws {
    guard let question = question() else { return }
    note("withdraws Q\(question.number)")
    try home.withdraw(question.number)
  }

  private mutating func describe() throws {
    guard let question = question() else { return }
    note("opens Q\(question.number)")
    try home.describe(question.number)
  }

  private mutating func answer() throws {
    guard let question = question(), !home.model.hasStaleVote(question.number) else { return }
    if roll(3) == 0 { try home.describe(question.number) }
    if let answered = question.answered, roll(2) == 0 { return try retry(question.number, answered) }
    let guardians = home.model.guardians[question.asker.person] ?? []
    let guardian = (roll(8) == 0 ? pick(YearHousehold.guardians) : pick(guardians)) ?? guardians[0]
    var answer = YearAnswer(guardian: guardian, choice: pick(question.choices + ["approve"]) ?? "approve")
    if roll(15) == 0 { answer.choice = pick(["maybe", "approveOnce", "approveUntil", "Approve"]) ?? "" }
    if answer.choice == "approveUntil" || roll(25) == 0 {
      answer.until = home.model.now + Int64(3 + roll(40)) * YearModel.day + Int64(roll(999)) * YearModel.second
    }
    if roll(40) == 0 { answer.until = home.model.now - YearModel.hour }
    if roll(question.topic.kind == .communication ? 3 : 20) == 0 {
      answer.items = Set(question.items.filter { _ in roll(3) > 0 })
      if roll(8) == 0, question.topic.kind == .communication { answer.items?.insert("Eve|message") }
    }
    answer.isForOtherContent = roll(20) == 0
    note("Q\(question.number) is answered \(answer)")
    try home.answer(question.number, answer)
  }

  private mutating func retry(_ number: Int, _ answered: (guardian: String, vote: YearVote)) throws {
    let vote = answered.vote
    note("Q\(number) is answered again")
    try home.answer(
      number,
      YearAnswer(
        guardian: answered.guardian, choice: vote.choice, items: vote.named ? vote.items : nil, until: vote.until))
  }

  private mutating func revoke() throws {
    switch roll(4) {
    case 0:
      let (person, app) = (pick(YearHousehold.children) ?? "", pick(YearHousehold.apps.compactMap(\.self)))
      note("takes back all of \(app ?? "") for \(person)")
      try home.revoke(person, app: app)
    case 1 where roll(3) == 0:
      let person = pick(YearHousehold.children) ?? ""
      note("takes back all of \(person)")
      try home.revoke(person, app: nil)
    default:
      guard let grant = pick(home.model.grants.suffix(8)) else { return }
      note("takes back G\(grant.number)")
      try home.revoke(grant: grant.number)
    }
  }

  private mutating func set() throws {
    let person = pick(YearHousehold.children) ?? ""
    let app = pick(YearHousehold.apps.compactMap(\.self)) ?? ""
    note("sets something for \(person) and \(app)")
    switch roll(6) {
    case ..<2: try home.set(person, nil, "guardianRule", roll(2) == 0 ? "any" : "all")
    case 2: try home.set(person, app, "neverAsk", roll(4) == 0 ? "true" : "false")
    case 3: try home.set(person, nil, "neverAsk", roll(8) == 0 ? "true" : "false")
    default:
      let value = pick(["notDetermined", "notDetermined", "denied", "restricted"]) ?? ""
      try home.set(person, app, "resource/org.example.screenTime", value)
    }
  }

  private mutating func changeGuardians() throws {
    let person = pick(YearHousehold.children) ?? ""
    var guardians = home.model.guardians[person] ?? []
    if guardians.count > 1, roll(2) == 0 {
      guardians.remove(at: roll(guardians.count))
    } else if guardians.count < 3, let new = pick(YearHousehold.guardians.filter { !guardians.contains($0) }) {
      guardians.append(new)
    }
    note("the guardians of \(person) are \(guardians)")
    try home.setGuardians(person, guardians)
  }

  private mutating func kill() throws {
    note("is killed and started again")
    try home.kill()
  }

  private mutating func reconnect() throws {
    let asker = asker()
    if roll(2) == 0 { home.followers[asker]?.lose() }
    try home.followers[asker]?.connect(home.daemon.apps(), home.named(asker))
  }
}
