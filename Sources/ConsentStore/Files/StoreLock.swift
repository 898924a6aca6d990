// SPDX-License-Identifier: Apache-2.0
//
// One daemon per store. SQLite's own locks would let two daemons take turns, each with waiters the other knows nothing
// of. The lock is a BSD lock on an empty file beside the database, so the kernel drops it however the daemon ends. The
// database file itself is no place for it: closing any descriptor of that file drops SQLite's locks in this process.
//
// The file is removed at the end, and a descriptor that no longer is the file at the path does not count as a lock.

import Glibc

/// The lock on a store, held until the last reference goes.
final class StoreLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock of the store at `store` without waiting.
  ///
  /// Throws `inUse` when another daemon has it.
  init(of store: String) throws(StoreError) {
    path = "\(store)-lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .cannotOpen(path: store, errno: errno, of: path) }
    do throws(StoreError) {
      try take(for: store)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Lets `owner` open the file of the lock, should it be left behind.
  func give(to owner: Owner) {
    _ = fchown(descriptor, owner.uid, owner.gid)
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  private func take(for store: String) throws(StoreError) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .inUse(path: store) : .cannotOpen(path: store, errno: errno, of: path)
    }
    var held = stat()
    var named = stat()
    guard fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_dev == named.st_dev,
      held.st_ino == named.st_ino
    else { throw .inUse(path: store) }
  }
}
