// SPDX-License-Identifier: Apache-2.0
//
// The doorbell: no ring is lost, whether anybody stands at the door or not, and a closed stream stays closed.

import Testing

@testable import ConsentBroker

@Suite struct DoorbellTests {
  private let doorbell = Doorbell()
  private let executor = ManualExecutor()

  /// Starts to wait at the door; the outcome comes when the executor has run.
  private func wait() -> Call<Doorbell.Call> {
    let call = Call<Doorbell.Call>()
    nonisolated(unsafe) let (doorbell, end) = (doorbell, call.end)
    Task(executorPreference: executor) { end(.success(await doorbell.wait())) }
    runJobs()
    return call
  }

  private func runJobs() { while executor.runJob() {} }

  @Test func `nobody is woken without a ring`() {
    let call = wait()
    #expect(!call.isOver)
    doorbell.close()
    runJobs()
  }

  @Test func `a ring wakes the one who waits`() throws {
    let call = wait()
    doorbell.ring()
    runJobs()
    #expect(try call.get() == .rung)
  }

  @Test func `a ring that came before is remembered, once`() throws {
    doorbell.ring()
    doorbell.ring()
    #expect(try wait().get() == .rung)
    let next = wait()
    #expect(!next.isOver)
    doorbell.close()
    runJobs()
  }

  @Test func `rings while the woken one is on its way count as the next`() throws {
    let call = wait()
    doorbell.ring()
    doorbell.ring()
    runJobs()
    #expect(try call.get() == .rung)
    #expect(try wait().get() == .rung)
  }

  @Test func `closing ends a wait, and every later one`() throws {
    let call = wait()
    doorbell.close()
    runJobs()
    #expect(try call.get() == .closed)
    doorbell.ring()
    #expect(try wait().get() == .closed)
    #expect(try wait().get() == .closed)
  }

  @Test func `closing before anybody waits is remembered over a ring`() throws {
    doorbell.ring()
    doorbell.close()
    #expect(try wait().get() == .closed)
  }
}
