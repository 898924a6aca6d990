// SPDX-License-Identifier: Apache-2.0
//
// The one lock of this module. It is recursive, because reads nest; a condition comes with it, because the writer's
// thread sleeps until there is work.

import Glibc

/// A recursive mutex and its condition.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` while no other thread runs one of this monitor.
  func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Lets go of the lock until `wake`, or for no reason. The caller holds it exactly once.
  func wait() {
    pthread_cond_wait(condition, mutex)
  }

  /// Wakes the thread that waits.
  func wake() {
    pthread_cond_signal(condition)
  }
}
