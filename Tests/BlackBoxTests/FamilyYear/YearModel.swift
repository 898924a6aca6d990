// SPDX-License-Identifier: Apache-2.0
//
// The rules of questions and answers, written down a second time from the design and from nothing else, so that a
// year of family life can be held against them. It is slow and plain on purpose: everything is found by looking through
// all there is.

/// A family and everything it asked and answered.
struct YearModel: Sendable {
  static let second: Int64 = 1_000_000
  static let hour = 3_600 * second
  static let day = 24 * hour
  /// After the first, the second and every later denial.
  static let afterDenial = [4 * hour, 24 * hour, 7 * day]
  static let afterLapse = hour
  static let newQuestionsPerDay = 10

  /// What a set of cool-downs belongs to.
  struct Manners: Hashable, Sendable {
    let person: String
    let scope: String
    let subject: String
  }

  /// What a key was used for.
  struct KeyUse: Sendable {
    let asker: YearAsker
    let key: String
    let topic: YearTopic
    let question: Int
    let at: Int64
  }

  var now: Int64
  var guardians: [String: [String]]
  /// The apps that have an entry: they share their manners with nobody.
  let registered: Set<String>
  var questions: [YearQuestion] = []
  var grants: [YearGrant] = []
  /// Whose each of them is, so that nobody is asked about others' all year.
  var questionsOf: [YearAsker: [Int]] = [:]
  var grantsOf: [YearAsker: [Int]] = [:]
  var coolDowns: [Manners: YearCoolDown] = [:]
  var asked: [(person: String, scope: String, at: Int64)] = []
  var keys: [KeyUse] = []
  /// By person, app ("" for every app) and name.
  var settings: [[String]: String] = [:]
  var log: [YearAsker: [YearEvent]] = [:]

  init(now: Int64, guardians: [String: [String]], registered: Set<String> = []) {
    self.now = now
    self.guardians = guardians
    self.registered = registered
  }

  // MARK: What holds

  func scope(of app: String?) -> String {
    if let app, registered.contains(app) { return "app:\(app)" }
    return "uid"
  }

  func manners(_ asker: YearAsker, _ topic: YearTopic) -> Manners {
    let subject = topic.kind == .significantUpdate ? topic.kind.rawValue : topic.key
    return Manners(person: asker.person, scope: scope(of: asker.app), subject: subject)
  }

  /// Whether one guardian's approval is not enough.
  func needsAll(_ person: String) -> Bool { settings[[person, "", "guardianRule"]] == "all" }

  /// How many approvals a question needs.
  func need(_ question: YearQuestion) -> Int {
    needsAll(question.asker.person) ? guardians[question.asker.person, default: []].count : 1
  }

  /// What a setting makes of an ask: the status it gives and why.
  func barred(_ asker: YearAsker, _ topic: YearTopic) -> (status: String, reason: String)? {
    if topic.kind == .resource, let app = asker.app {
      switch settings[[asker.person, app, topic.key]] {
      case "restricted": return ("restricted", "settings")
      case "denied": return ("denied", "settings")
      default: break
      }
    }
    let general = settings[[asker.person, "", "neverAsk"]]
    let own = asker.app.flatMap { settings[[asker.person, $0, "neverAsk"]] }
    return (own ?? general) == "true" ? ("denied", "neverAsk") : nil
  }

  /// What an asker asked, oldest first.
  func questions(of asker: YearAsker) -> [YearQuestion] { questionsOf[asker, default: []].map { questions[$0] } }

  /// The live grants that cover something of the items, oldest first.
  func grants(_ asker: YearAsker, covering items: Set<String>) -> [YearGrant] {
    grantsOf[asker, default: []].map { grants[$0] }.filter { $0.isLive && !$0.items.isDisjoint(with: items) }
  }

  /// The open question of an asker that stands in the way of another for the topic, or asks it.
  func open(_ asker: YearAsker, _ topic: YearTopic) -> YearQuestion? {
    questions(of: asker).last {
      $0.isOpen && $0.topic.kind == topic.kind && (topic.kind == .significantUpdate || $0.topic.key == topic.key)
    }
  }

  /// Until when a topic may not be asked, where that is not over. A new change passes a denial of others once.
  func coolingUntil(_ asker: YearAsker, _ topic: YearTopic) -> Int64? {
    guard let coolDown = coolDowns[manners(asker, topic)] else { return nil }
    var ends: [Int64] = []
    if let deniedAt = coolDown.deniedAt, coolDown.denials > 0, !passes(asker, topic, coolDown) {
      ends.append(deniedAt + YearModel.afterDenial[min(coolDown.denials, YearModel.afterDenial.count) - 1])
    }
    if let lapsedAt = coolDown.lapsedAt { ends.append(lapsedAt + YearModel.afterLapse) }
    return ends.max().flatMap { $0 > now ? $0 : nil }
  }

  /// Whether the topic is a change that this asker never asked, and none was let through since the denial.
  func passes(_ asker: YearAsker, _ topic: YearTopic, _ coolDown: YearCoolDown) -> Bool {
    topic.kind == .significantUpdate && !coolDown.passedOne && isNew(asker, topic)
  }

  func isNew(_ asker: YearAsker, _ topic: YearTopic) -> Bool {
    !questions(of: asker).contains { $0.topic.key == topic.key }
  }

  // MARK: What happens

  mutating func note(_ kind: String, _ question: Int?, _ grant: Int? = nil, of asker: YearAsker) {
    log[asker, default: []].append(YearEvent(kind: kind, question: question, grant: grant))
  }

  /// Lets time pass: what falls due on the way happens at its own instant.
  mutating func pass(to instant: Int64) {
    while let due = nextDue(before: instant) {
      now = max(now, due)
      for question in questions where question.isOpen && question.expiresAt <= now { expire(question) }
      for grant in grants where grant.isLive && grant.until.map({ $0 <= now }) == true {
        grants[grant.number].endedAt = now
        grants[grant.number].endedReason = "expired"
        note("grantEnded", grant.question, grant.number, of: grant.asker)
      }
    }
    now = max(now, instant)
  }

  /// Every instant ahead at which something changes by itself.
  var instantsAhead: [Int64] {
    var instants = questions.filter(\.isOpen).map(\.expiresAt) + grants.filter(\.isLive).compactMap(\.until)
    instants += questions.filter(\.isOpen).flatMap { $0.votes.values.compactMap(\.until) }
    for coolDown in coolDowns.values {
      if let deniedAt = coolDown.deniedAt { instants += YearModel.afterDenial.map { deniedAt + $0 } }
      if let lapsedAt = coolDown.lapsedAt { instants.append(lapsedAt + YearModel.afterLapse) }
    }
    instants += asked.map { $0.at + YearModel.day } + keys.map { $0.at + 2 * YearModel.day }
    return instants.filter { $0 > now }
  }

  private func nextDue(before instant: Int64) -> Int64? {
    let deadlines = questions.filter(\.isOpen).map(\.expiresAt) + grants.filter(\.isLive).compactMap(\.until)
    return deadlines.min().flatMap { $0 <= instant ? $0 : nil }
  }

  private mutating func expire(_ question: YearQuestion) {
    end(question.number, "expired")
    coolDowns[manners(question.asker, question.topic), default: YearCoolDown()].lapsedAt = now
    note("expired", question.number, of: question.asker)
  }

  mutating func end(_ number: Int, _ state: String) {
    questions[number].state = state
    questions[number].endedAt = now
  }

  /// A denial, or what counts as one.
  mutating func countDenial(_ question: YearQuestion) {
    let key = manners(question.asker, question.topic)
    var coolDown = coolDowns[key, default: YearCoolDown()]
    coolDown.denials += 1
    coolDown.deniedAt = now
    coolDown.passedOne = false
    coolDowns[key] = coolDown
  }

  /// An approval starts afresh.
  mutating func resetCoolDown(_ question: YearQuestion) {
    coolDowns[manners(question.asker, question.topic)] = nil
  }

  /// A companion has the question in hand.
  mutating func describe(_ number: Int) {
    guard questions[number].isOpen, !questions[number].delivered else { return }
    questions[number].delivered = true
    note("delivered", number, of: questions[number].asker)
  }

  /// The app takes its question back.
  mutating func withdraw(_ number: Int) -> YearReply {
    let question = questions[number]
    guard question.isOpen else { return .reply(["state": .text(question.state)]) }
    end(number, "withdrawn")
    if question.delivered {
      coolDowns[manners(question.asker, question.topic), default: YearCoolDown()].lapsedAt = now
    }
    note("withdrawn", number, of: question.asker)
    return .reply(["state": .text("withdrawn"), "nextAction": .text(askAgain(question.asker, question.topic).action)])
  }

  /// What an app does about a topic nobody gives it now.
  func askAgain(_ asker: YearAsker, _ topic: YearTopic) -> (action: String, until: YearWant) {
    coolingUntil(asker, topic).map { ("askLater", .instant($0)) } ?? ("ask", .absent)
  }
}
