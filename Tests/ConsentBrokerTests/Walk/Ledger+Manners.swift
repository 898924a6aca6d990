// SPDX-License-Identifier: Apache-2.0
//
// What a walk remembers of who asked what when: updates that take others along, waits after a no, the day's budget.
// Every asker of a walk is unregistered, so those of one uid share their waits.

import ConsentBroker

@testable import ConsentModel

extension Ledger {
  /// What is remembered of askers.
  struct Manners {
    /// All askers of a uid that ask about one person.
    struct Scope: Hashable {
      let person: Person
      let uid: UserID
    }

    struct Memory {
      var denials: [Int64] = []
      var lapsedAt: Int64?
      var hadNews = false
    }

    struct Asking {
      let scope: Scope
      let asker: Asker
      let at: Int64
    }

    var memories: [Scope: [String: Memory]] = [:]
    var asked: [Asking] = []

    mutating func forget(_ person: Person) {
      memories = memories.filter { $0.key.person != person }
      asked.removeAll { $0.scope.person == person }
    }

    mutating func forget(_ person: Person, _ asker: Asker) {
      memories[Scope(person: person, uid: asker.uid)] = nil
      asked.removeAll { $0.scope.person == person && $0.asker == asker }
    }
  }

  // MARK: Accumulating

  /// Whether a question gives way to what is asked.
  func isInTheWay(_ number: Int, of ask: Ask) -> Bool {
    let question = questions[number]
    guard question.asker == ask.asker, question.person == ask.person else { return false }
    return ask.matter.kind == .significantUpdate
      ? question.matter.kind == .significantUpdate : question.matter.key == ask.matter.key
  }

  /// Whether a question asks a matter, with the same words.
  func asks(_ number: Int, _ matter: Matter) -> Bool { questions[number].parts.contains(matter) }

  /// What an update takes along: what was denied and never approved since, and what is open.
  func earlier(_ open: [Int], for ask: Ask) -> [Earlier] {
    guard ask.matter.kind == .significantUpdate else { return [] }
    func newest(_ state: QuestionState) -> Int? {
      questions.indices.last { questions[$0].state == state && isInTheWay($0, of: ask) }
    }
    var listed: [Earlier] = []
    if let denied = newest(.denied), !questions[denied].isErased {
      let isOver = newest(.approved).map {
        (questions[$0].endedAt ?? 0, $0) > (questions[denied].endedAt ?? 0, denied)
      }
      if isOver != true { listed = questions[denied].parts.map { Earlier(matter: $0, wasDenied: true) } }
    }
    for number in open {
      listed += questions[number].earlier + [Earlier(matter: questions[number].matter, wasDenied: false)]
    }
    let keys = listed.map(\.matter.key)
    return listed.enumerated().filter { index, change in
      change.matter.key != ask.matter.key && !keys[(index + 1)...].contains(change.matter.key)
    }.map { _, change in
      let wasDenied = listed.contains { $0.matter.key == change.matter.key && $0.wasDenied }
      return Earlier(matter: change.matter, wasDenied: wasDenied)
    }
  }

  /// The question that stands for a caller who came for `number`: the last in its place that asks the same.
  func followed(_ number: Int) -> Int {
    guard !questions[number].isErased else { return number }
    var last = number
    while let next = questions[last].successor, !questions[next].isErased,
      questions[next].items.isSuperset(of: questions[number].matter.items)
    {
      last = next
    }
    return last
  }

  // MARK: Waiting

  private func subject(_ matter: Matter) -> String {
    matter.kind == .significantUpdate ? "every update" : matter.key
  }

  mutating func noteEnded(_ number: Int) {
    let question = questions[number]
    guard let endedAt = question.endedAt else { return }
    let scope = Manners.Scope(person: question.person, uid: question.asker.uid)
    let subject = subject(question.matter)
    var memory = manners.memories[scope]?[subject] ?? Manners.Memory()
    switch question.state {
    case .approved: memory = Manners.Memory()
    case .denied:
      memory.denials.append(endedAt)
      memory.hadNews = false
    case .expired: memory.lapsedAt = max(memory.lapsedAt ?? endedAt, endedAt)
    case .withdrawn: if question.isDelivered { memory.lapsedAt = max(memory.lapsedAt ?? endedAt, endedAt) }
    case .pending, .superseded, .moot: return
    }
    manners.memories[scope, default: [:]][subject] = memory
  }

  mutating func noteAsked(_ ask: Ask, _ overdue: [Int], at now: Instant) {
    let scope = Manners.Scope(person: ask.person, uid: ask.asker.uid)
    guard numbers != nil else { return }
    manners.asked.append(.init(scope: scope, asker: ask.asker, at: now.usec))
    let isHeldBack = waitEnd(of: ask.matter, scope, overdue, lapsesOnly: false) > now.usec
    let subject = subject(ask.matter)
    if isHeldBack { manners.memories[scope]?[subject]?.hadNews = true }
  }

  /// When the wait before another question about a matter ends.
  private func waitEnd(
    of matter: Matter, _ scope: Manners.Scope, _ overdue: [Int], lapsesOnly: Bool
  ) -> Int64 {
    guard let numbers else { return .min }
    let memory = manners.memories[scope]?[subject(matter)] ?? Manners.Memory()
    let lapses = [memory.lapsedAt].compactMap(\.self) + overdue.map { questions[$0].expiresAt }
    let lapse = lapses.max().map { $0 + numbers.afterLapseUSec } ?? .min
    guard !lapsesOnly, let denial = memory.denials.last else { return lapse }
    let spans = numbers.afterDenialUSec
    return max(lapse, denial + spans[min(memory.denials.count, spans.count) - 1])
  }

  /// Until when an ask is refused for what came before it.
  func coolingUntil(_ ask: Ask, at now: Instant) -> Instant? {
    let scope = Manners.Scope(person: ask.person, uid: ask.asker.uid)
    let overdue = open.filter { isInTheWay($0, of: ask) && questions[$0].seen(at: now) == .expired }
    let isNews = ask.matter.kind == .significantUpdate && latest(ask.matter, ask.asker, ask.person) == nil
    let hadNews = manners.memories[scope]?[subject(ask.matter)]?.hadNews == true
    let end = waitEnd(of: ask.matter, scope, overdue, lapsesOnly: isNews && !hadNews)
    return end > now.usec ? Instant(usec: end) : nil
  }

  /// Until when an ask is refused because too many came before it.
  func spentUntil(_ ask: Ask, at now: Instant) -> Instant? {
    guard let numbers else { return nil }
    let scope = Manners.Scope(person: ask.person, uid: ask.asker.uid)
    let recent = manners.asked.filter { $0.scope == scope && $0.at + Span.day > now.usec }.map(\.at).sorted()
    guard recent.count >= numbers.newQuestionsPerDay else { return nil }
    return Instant(usec: recent[recent.count - numbers.newQuestionsPerDay] + Span.day)
  }

  /// Whether the asker of a question that ended would be refused if it asked the same again.
  func isCooling(_ number: Int, at now: Instant) -> Bool {
    let question = questions[number]
    guard numbers != nil, !question.isErased else { return false }
    let scope = Manners.Scope(person: question.person, uid: question.asker.uid)
    let overdue = question.isPending && question.seen(at: now) == .expired ? [number] : []
    return waitEnd(of: question.matter, scope, overdue, lapsesOnly: false) > now.usec
  }
}
