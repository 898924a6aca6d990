// SPDX-License-Identifier: Apache-2.0
//
// The table of parked callers: each is handed out exactly once, whatever ends its wait and in whatever order. A
// continuation that is resumed twice stops the process, so a test that ends has shown that none was.

import ConsentModel
import TestSupport
import Testing

@testable import ConsentBroker

@Suite struct ContinuationTableTests {
  private let room = Room()
  private let update = QuestionID.random()
  private let other = QuestionID.random()

  @Test func `an empty table has nobody to resume`() {
    #expect(room.table.take(update, .ended) == 0)
    #expect(room.table.takeDue(at: .max) == [])
    #expect(room.table.earliestDeadline == nil)
    #expect(room.table.count == 0)
  }

  @Test func `everybody who waits for a question is resumed by its end, in the order they came`() {
    let calls = (0..<20).map { _ in room.park(update) }
    #expect(room.table.count(of: update) == 20)
    #expect(room.table.take(update, .ended) == 20)
    #expect(calls.allSatisfy { !$0.isOver })
    room.runJobs()
    #expect(room.order == Array(0..<20))
    #expect(calls.allSatisfy { $0.outcome == .ended && $0.endings == 1 })
    #expect(room.table.count == 0)
  }

  @Test func `the end of one question wakes nobody on another`() {
    let (first, second) = (room.park(update), room.park(other))
    #expect(room.table.take(other, .ended) == 1)
    room.runJobs()
    #expect(first.outcome == nil)
    #expect(second.outcome == .ended)
    #expect(room.table.count(of: update) == 1)
  }

  @Test func `a caller whose time is up is resumed alone, the exact microsecond included`() {
    let early = room.park(update, until: 10)
    let late = room.park(update, until: 11)
    #expect(room.table.earliestDeadline == 10)
    #expect(room.table.takeDue(at: 9) == [])
    #expect(room.table.takeDue(at: 10) == [update])
    room.runJobs()
    #expect(early.outcome == .timedOut)
    #expect(late.outcome == nil)
    #expect(room.table.earliestDeadline == 11)
    #expect(room.table.take(update, .ended) == 1)
    room.runJobs()
    #expect(late.outcome == .ended)
  }

  @Test func `callers that move wait on until their own time, and end with the other question`() {
    let (first, second) = (room.park(update, until: 10), room.park(update))
    let there = room.park(other)
    room.table.move(from: update, to: other) { _ in true }
    #expect(room.table.count == 3)
    #expect(room.table.count(of: update) == 0)
    #expect(room.table.count(of: other) == 3)
    #expect(room.table.take(update, .ended) == 0)
    #expect(room.table.takeDue(at: 10) == [other])
    room.runJobs()
    #expect(first.outcome == .timedOut)
    #expect(room.table.take(other, .ended) == 2)
    room.runJobs()
    #expect(second.outcome == .ended && there.outcome == .ended)
    #expect(room.order == [0, 1, 2])
    #expect(room.table.count == 0)
  }

  @Test func `who came for something else stays, and a caller that moved can leave`() {
    let (stays, leaver) = (room.park(update, about: "significantUpdate/1.0"), Waiter())
    let moved = room.park(update, leaver)
    room.table.move(from: update, to: other) { $0 == "significantUpdate/2.0" }
    #expect(room.table.count(of: update) == 1)
    #expect(leaver.question == other)
    room.table.take(leaver, .left)
    #expect(room.table.count(of: other) == 0)
    #expect(room.table.take(update, .ended) == 1)
    room.runJobs()
    #expect(stays.outcome == .ended)
    #expect(moved.outcome == .left)
  }

  @Test func `moving again and again leaves no heap behind`() {
    let calls = (0..<100).map { _ in room.park(update) }
    var place = update
    for _ in 0..<100 {
      let next = QuestionID.random()
      room.table.move(from: place, to: next) { _ in true }
      place = next
    }
    #expect(room.deadlines <= 300)
    #expect(room.table.take(place, .ended) == 100)
    room.runJobs()
    #expect(calls.allSatisfy { $0.endings == 1 })
  }

  @Test func `a caller that leaves is resumed alone, and the last one leaves nothing behind`() {
    let (first, second) = (room.park(update), room.park(update))
    room.table.take(first.waiter, .left)
    room.runJobs()
    #expect(first.outcome == .left)
    #expect(second.outcome == nil)
    room.table.take(second.waiter, .left)
    #expect(room.table.count == 0)
    room.runJobs()
    #expect(second.outcome == .left)
  }

  @Test func `a caller that left before it parked does not park`() {
    let waiter = Waiter()
    room.table.take(waiter, .left)
    let call = room.park(update, waiter)
    #expect(room.table.count == 0)
    #expect(room.table.earliestDeadline == nil)
    room.runJobs()
    #expect(call.outcome == .left)
    #expect(room.table.question(of: waiter) == nil)
  }

  @Test func `the question of a caller is known while it is parked`() {
    let call = room.park(update)
    #expect(room.table.question(of: call.waiter) == update)
    _ = room.table.take(update, .ended)
    #expect(room.table.question(of: call.waiter) == nil)
    room.runJobs()
  }

  @Test(arguments: Ending.allCases, Ending.allCases)
  func `only the first ending of a wait counts`(first: Ending, second: Ending) {
    let call = room.park(update, until: 5)
    let expected = first.end(call, on: update, in: room)
    _ = second.end(call, on: update, in: room)
    _ = first.end(call, on: update, in: room)
    room.runJobs()
    #expect(call.outcome == expected)
    #expect(call.endings == 1)
    #expect(room.table.count == 0)
  }

  @Test func `a hundred thousand callers that come and go leave nothing behind`() {
    let stays = room.park(update, until: .max)
    for _ in 0..<1_000 {
      let calls = (0..<100).map { _ in room.park(other, until: 1_000_000) }
      for call in calls.prefix(50) { room.table.take(call.waiter, .left) }
      #expect(room.table.take(other, .ended) == 50)
      room.runJobs()
    }
    #expect(room.deadlines < 300)
    #expect(room.table.count == 1)
    _ = room.table.take(update, .ended)
    room.runJobs()
    #expect(stays.outcome == .ended)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `whatever happens in whatever order, everybody is resumed once by what ended the wait`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var expected: [(call: Parked, outcome: Waiter.Outcome)] = []
    var parked: [(call: Parked, question: QuestionID, deadline: Int64)] = []
    let questions = (0..<5).map { _ in QuestionID.random() }
    for now in 0..<400 as Range<Int64> {
      switch Int.random(in: 0..<10, using: &chance) {
      case 0..<6:
        let (question, deadline) = (
          questions.randomElement(using: &chance) ?? update, now + .random(in: 1...60, using: &chance)
        )
        parked.append((room.park(question, until: deadline), question, deadline))
      case 6:
        let question = questions.randomElement(using: &chance) ?? update
        expected += parked.filter { $0.question == question }.map { ($0.call, .ended) }
        #expect(room.table.take(question, .ended) == parked.count { $0.question == question })
        parked.removeAll { $0.question == question }
      case 7...8 where !parked.isEmpty:
        let gone = parked.remove(at: .random(in: 0..<parked.count, using: &chance))
        room.table.take(gone.call.waiter, .left)
        expected.append((gone.call, .left))
      default:
        let due = parked.filter { $0.deadline <= now }
        #expect(room.table.takeDue(at: now) == Set(due.map(\.question)))
        expected += due.map { ($0.call, .timedOut) }
        parked.removeAll { $0.deadline <= now }
      }
      room.runJobs()
      #expect(room.table.count == parked.count)
      #expect(parked.allSatisfy { !$0.call.isOver })
    }
    for question in questions { _ = room.table.take(question, .ended) }
    room.runJobs()
    #expect(expected.allSatisfy { $0.call.outcome == $0.outcome && $0.call.endings == 1 })
    #expect(parked.allSatisfy { $0.call.outcome == .ended && $0.call.endings == 1 })
  }
}

/// The ways in which a wait can end.
enum Ending: CaseIterable {
  case answer, timeout, hangUp

  fileprivate func end(_ call: Parked, on question: QuestionID, in room: Room) -> Waiter.Outcome {
    switch self {
    case .answer:
      _ = room.table.take(question, .ended)
      return .ended
    case .timeout:
      _ = room.table.takeDue(at: 5)
      return .timedOut
    case .hangUp:
      room.table.take(call.waiter, .left)
      return .left
    }
  }
}

/// A caller of the table.
private final class Parked {
  let waiter: Waiter
  fileprivate(set) var outcome: Waiter.Outcome?
  fileprivate(set) var endings = 0

  init(_ waiter: Waiter) { self.waiter = waiter }

  var isOver: Bool { outcome != nil }
}

/// A table with callers that run by hand.
private final class Room {
  var table = ContinuationTable()
  private let executor = ManualExecutor()
  private var calls = 0
  /// The callers that went on, by the order in which they were parked.
  private(set) var order: [Int] = []

  /// Parks a caller. It is parked when this returns.
  func park(
    _ question: QuestionID, _ waiter: Waiter = Waiter(), about topicKey: String = "significantUpdate/2.0",
    until deadline: Int64 = 100
  ) -> Parked {
    let parked = Parked(waiter)
    let number = calls
    calls += 1
    nonisolated(unsafe) let wait = { [self] in
      parked.outcome = await withCheckedContinuation { continuation in
        table.park(waiter, for: question, about: topicKey, until: deadline, continuation)
      }
      parked.endings += 1
      order.append(number)
    }
    Task(executorPreference: executor) { await wait() }
    _ = executor.runJob()
    return parked
  }

  func runJobs() { while executor.runJob() {} }

  /// Entries in the table's heap, dead ones included.
  var deadlines: Int {
    let entries = Mirror(reflecting: table).descendant("deadlines", "entries") as? [DeadlineHeap.Entry]
    return entries?.count ?? .max
  }
}
