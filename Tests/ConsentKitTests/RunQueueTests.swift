// SPDX-License-Identifier: Apache-2.0
//
// Which run of a command comes next: in order for one question, side by side for several, a bounded number of times.

import StrictJSON
import Testing

@testable import ConsentKit
@testable import consentctl

@Suite struct RunQueueTests {
  private func change(_ change: String, of question: String = "a") -> QuestionChange {
    QuestionChange(json: ["change": .string(change), "question": ["question": .string(question)]])
  }

  /// A queue that an expectation can ask.
  private final class Queue {
    private var queue = RunQueue()

    func add(_ change: QuestionChange) { queue.add(change) }
    func next() -> RunQueue.Run? { queue.next() }
    func ended(_ run: RunQueue.Run, succeeded: Bool) -> RunQueue.Verdict { queue.ended(run, succeeded: succeeded) }
    func rested(_ run: RunQueue.Run) { queue.rested(run) }
  }

  private func told(_ run: RunQueue.Run?) -> String? { run.map { "\($0.change.change) \($0.question)" } }

  @Test func `the changes of a question come one after the other`() throws {
    let queue = Queue()
    for word in ["added", "changed", "removed"] { queue.add(change(word)) }
    queue.add(change("revoked"))
    let first = try #require(queue.next())
    #expect(told(first) == "removed a")
    #expect(queue.next() == nil)
    #expect(queue.ended(first, succeeded: true) == .done)
    #expect(told(queue.next()) == "revoked a")
  }

  @Test func `what has begun is followed by what came after it`() throws {
    let queue = Queue()
    queue.add(change("added"))
    let first = try #require(queue.next())
    for word in ["changed", "changed", "reminder"] { queue.add(change(word)) }
    #expect(queue.next() == nil)
    #expect(queue.ended(first, succeeded: true) == .done)
    let second = try #require(queue.next())
    #expect(told(second) == "changed a")
    #expect(queue.ended(second, succeeded: true) == .done)
    #expect(told(queue.next()) == "reminder a")
  }

  @Test func `one that never ends hinders no other, up to as many as may run`() throws {
    let queue = Queue()
    for number in 0..<20 { queue.add(change("added", of: "\(number)")) }
    let running = (0..<RunQueue.limit).compactMap { _ in queue.next() }
    #expect(running.map(\.question) == (0..<RunQueue.limit).map(String.init))
    #expect(queue.next() == nil)
    #expect(queue.ended(running[3], succeeded: true) == .done)
    #expect(told(queue.next()) == "added 16")
    #expect(queue.next() == nil)
  }

  @Test func `a run that fails is tried three times, and then given up`() throws {
    let queue = Queue()
    queue.add(change("added"))
    for usec: Int64 in [1_000_000, 4_000_000] {
      let run = try #require(queue.next())
      #expect(queue.ended(run, succeeded: false) == .again(afterUSec: usec))
      #expect(queue.next() == nil)
      queue.rested(run)
    }
    let last = try #require(queue.next())
    #expect(last.attempt == RunQueue.attempts)
    #expect(queue.ended(last, succeeded: false) == .givenUp)
    #expect(queue.next() == nil)
    queue.add(change("changed"))
    #expect(told(queue.next()) == "changed a")
  }

  @Test func `the end of a question drops what waits to be tried again`() throws {
    let queue = Queue()
    queue.add(change("added"))
    let run = try #require(queue.next())
    #expect(queue.ended(run, succeeded: false) == .again(afterUSec: 1_000_000))
    queue.add(change("removed"))
    let end = try #require(queue.next())
    #expect(told(end) == "removed a")
    queue.rested(run)
    #expect(queue.next() == nil)
    #expect(queue.ended(end, succeeded: true) == .done)
    #expect(queue.next() == nil)
  }

  @Test func `one that fails when it is overtaken is not tried again`() throws {
    let queue = Queue()
    queue.add(change("added"))
    let run = try #require(queue.next())
    queue.add(change("removed"))
    #expect(queue.ended(run, succeeded: false) == .done)
    #expect(told(queue.next()) == "removed a")
  }
}
