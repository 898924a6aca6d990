// SPDX-License-Identifier: Apache-2.0
//
// The heap of deadlines: order, what is due, and that the dead do not pile up.

import ConsentModel
import TestSupport
import Testing

@testable import ConsentBroker

@Suite struct DeadlineHeapTests {
  private let question = QuestionID.random()
  private var heap = DeadlineHeap()

  private mutating func insert(_ instants: [Int64]) {
    for (ticket, at) in instants.enumerated() {
      heap.insert(.init(at: at, ticket: UInt64(ticket), question: question))
    }
  }

  private mutating func popAll(at now: Int64) -> [Int64] {
    var popped: [Int64] = []
    while let entry = heap.popDue(at: now) { popped.append(entry.at) }
    return popped
  }

  private var entries: [DeadlineHeap.Entry] {
    Mirror(reflecting: heap).descendant("entries") as? [DeadlineHeap.Entry] ?? []
  }

  @Test mutating func `an empty heap has nothing due`() {
    #expect(heap.earliest == nil)
    #expect(heap.popDue(at: .max) == nil)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  mutating func `deadlines come up in order, whatever the order in which they went in`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    let instants = (0..<200).map { _ in Int64.random(in: 0..<100, using: &chance) }
    insert(instants)
    #expect(heap.earliest == instants.min())
    #expect(popAll(at: .max) == instants.sorted())
  }

  @Test mutating func `what is due now is due, and what is due in a microsecond is not`() {
    insert([30, 10, 20, 21])
    #expect(popAll(at: 20) == [10, 20])
    #expect(heap.earliest == 21)
    #expect(popAll(at: 20) == [])
    #expect(popAll(at: 30) == [21, 30])
  }

  @Test mutating func `the greatest instant there is has a place too`() {
    insert([.max, 5, .max])
    #expect(popAll(at: 6) == [5])
    #expect(popAll(at: .max) == [.max, .max])
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  mutating func `the dead are thrown out once they are more than half, and the order stays`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    insert((0..<300).map { _ in Int64.random(in: 0..<1_000, using: &chance) })
    let alive = Set((0..<300 as Range<UInt64>).shuffled(using: &chance).prefix(149))
    let expected = entries.filter { alive.contains($0.ticket) }.map(\.at).sorted()

    heap.discard(150)
    heap.compact { alive.contains($0.ticket) }
    #expect(entries.count == 300)
    heap.discard(1)
    heap.compact { alive.contains($0.ticket) }
    #expect(entries.count == 149)
    #expect(popAll(at: .max) == expected)
  }

  @Test mutating func `a few dead entries are left alone`() {
    insert((0..<64).map(Int64.init))
    heap.discard(64)
    heap.compact { _ in false }
    #expect(entries.count == 64)
  }
}
