// SPDX-License-Identifier: Apache-2.0
//
// The loop as programs use it: order, isolation, fairness, and how a program starts and ends.

import Glibc
import HostRuntime
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoopTests {
  init() throws { try LoopFixture.start() }

  @Test func `jobs from one thread run in the order they came`() async {
    let notes = Notes()
    for number in 0..<1_000 { Task { @Loop in notes.numbers.append(number) } }
    #expect(await notes.numbers == Array(0..<1_000))
  }

  @Test func `jobs from many threads all run`() async {
    let notes = Notes()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for number in 0..<500 { await notes.add(number) } }
      }
    }
    #expect(await notes.numbers.count == 4_000)
  }

  @Test @Loop func `code on the loop is isolated and stays so across an await`() async {
    #expect(EventLoop.process.isIsolatingCurrentContext() == true)
    await Task.yield()
    #expect(EventLoop.process.isIsolatingCurrentContext() == true)
    #expect(Loop.assumeIsolated { 7 } == 7)
  }

  @Test func `a thread beside the loop is not isolated`() {
    #expect(EventLoop.process.isIsolatingCurrentContext() == false)
  }

  @Test @Loop func `a task that need not wait is over before the next line`() {
    let notes = Notes()
    Task.immediate { await notes.addOnCaller(1) }
    #expect(notes.numbers == [1])
  }

  @Test @Loop func `what is to be performed runs later, in order, on the loop`() async {
    let notes = Notes()
    let done = Mailbox<Bool?>()
    for number in 0..<100 { Loop.perform { notes.add(number) } }
    Loop.perform { done.post(EventLoop.process.isIsolatingCurrentContext()) }
    #expect(notes.numbers.isEmpty)
    #expect(await done.next() == true)
    #expect(notes.numbers == Array(0..<100))
  }

  @Test @Loop func `a wait that ends takes its place among the jobs at once`() async {
    let notes = Notes()
    let answers = Mailbox<Int>()
    let done = Mailbox<Bool>()
    Loop.perform {
      notes.add(await answers.next())
      done.post(true)
    }
    Loop.perform {
      answers.post(1)
      Loop.perform {
        notes.add(2)
        done.post(true)
      }
    }
    for _ in 0..<2 { _ = await done.next() }
    #expect(notes.numbers == [1, 2])
  }

  @Test func `starting a loop that turns already changes nothing`() throws {
    try LoopFixture.start()
  }

  @Test @Loop func `a flood of jobs starves neither a socket nor a timer`() async throws {
    let (near, far) = try StreamSocket.pair()
    let flood = Flood(jobs: 1_000_000)
    let served = Mailbox<Int>()
    let watch = try Watch(near.descriptor, interest: .readable) { _ in
      _ = near.receiveText()
      served.post(flood.jobsLeft)
    }
    let timer = try Timer(.boot) { served.post(flood.jobsLeft) }
    far.send("!")
    timer.arm(at: 0)
    flood.flow()
    for _ in 0..<2 { #expect(await served.next() > 0) }
    flood.jobsLeft = 0
    watch.cancel()
  }

  @Test @Loop func `jobs that each bring the next go on from turn to turn`() async {
    let flood = Flood(jobs: 10_000)
    flood.flow()
    while flood.jobsLeft > 0 { await Task.yield() }
  }

  @Test @Loop func `a flood of ready sockets starves neither a job nor a timer`() async throws {
    let calls = Counter()
    let limit = Counter()
    limit.count = .max
    let pairs = try (0..<600).map { _ in try StreamSocket.pair() }
    let watches = WatchList()
    for (near, far) in pairs {
      far.send("!")
      try watches.add(near) {
        calls.count += 1
        if calls.count > limit.count { watches.cancelAll() }
      }
    }
    while calls.count == 0 { await Task.yield() }
    let fired = Mailbox<Int>()
    let timer = try Timer(.boot) { fired.post(calls.count) }
    (calls.count, limit.count) = (0, 1_000_000)
    timer.arm(at: 0)
    #expect(await fired.next() < 1_000_000)
    watches.cancelAll()
  }
}

/// What tests write down on the loop.
@Loop
private final class Notes {
  var numbers: [Int] = []

  nonisolated init() {}

  func add(_ number: Int) { numbers.append(number) }

  func addOnCaller(_ number: Int) async { numbers.append(number) }
}

/// Jobs each of which brings the next.
@Loop
private final class Flood {
  var jobsLeft: Int

  init(jobs: Int) { jobsLeft = jobs }

  func flow() {
    guard jobsLeft > 0 else { return }
    jobsLeft -= 1
    Task { flow() }
  }
}

struct LoopProgramTests {
  private struct Failure: Error, Equatable { let number: Int }

  @Test func `a program runs until its function returns, and gives its result`() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let code = try Loop.run { () -> Int32 in
        for _ in 0..<10 { await Task.yield() }
        return 42
      }
      exit(code)
    }
  }

  @Test func `an error of the program's function comes out of run`() async {
    await #expect(processExitsWith: .success) {
      do {
        try Loop.run { throw Failure(number: 3) }
      } catch let failure as Failure {
        finish(passing: failure.number == 3)
      }
      finish(passing: false)
    }
  }

  @Test func `jobs queued before the loop runs are run by it`() async {
    await #expect(processExitsWith: .success) {
      let early = Task { @Loop in EventLoop.process.isIsolatingCurrentContext() == true }
      finish(passing: try Loop.run { await early.value })
    }
  }

  @Test func `a started loop has a thread of its own`() async {
    await #expect(processExitsWith: .success) {
      try Loop.start { _ in }
      let isCallersThread = EventLoop.process.isIsolatingCurrentContext() == true
      let isLoops = await Task { @Loop in EventLoop.process.isIsolatingCurrentContext() == true }.value
      finish(passing: !isCallersThread && isLoops)
    }
  }

  @Test func `a loop that cannot be made is an error of run, not the end of the process`() async {
    await #expect(processExitsWith: .success) {
      limitOpenFiles(to: 0)
      finish(passing: systemError { try Loop.run {} }?.errno == EMFILE)
    }
  }

  @Test func `a loop that cannot be made is an error of start, each time`() async {
    await #expect(processExitsWith: .success) {
      limitOpenFiles(to: 0)
      let failures = (0..<2).map { _ in systemError { try Loop.start { _ in } }?.errno }
      finish(passing: failures == [EMFILE, EMFILE])
    }
  }

  @Test func `a second loop is refused`() async {
    await #expect(processExitsWith: .success) {
      let refusal = try Loop.run { systemError { try Loop.run {} } }
      finish(passing: refusal?.errno == EBUSY)
    }
  }

  @Test func `claiming to be on the loop's thread elsewhere stops the process`() async {
    await #expect(processExitsWith: .failure) {
      Loop.assumeIsolated {}
      exit(EXIT_SUCCESS)
    }
  }
}
