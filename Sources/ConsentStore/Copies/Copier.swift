// SPDX-License-Identifier: Apache-2.0
//
// Copies of a store that is in use. Each is made on a thread and a connection of its own, so neither the loop nor the
// writer waits for it; one at a time, so that they need room for one. A copy that is not finished when the store closes
// is given up.

import CSQLite
import Glibc

/// Makes copies of one open store into its directory.
final class Copier: @unchecked Sendable {
  private let store: StoreFile
  private let turn = Monitor()
  private let monitor = Monitor()
  private var underway = 0
  private var isClosed = false

  init(of store: StoreFile) {
    self.store = store
  }

  /// What an interrupted copy leaves, the same name for all of them.
  var draft: String { "\(store.path)-copy" }

  /// Makes a copy marked with `takenAtUSec` and hands it, or why there is none, to `completion` on another thread.
  func copy(
    takenAtUSec: Int64, completion: @escaping @Sendable (Result<StoreCopy, any Error>) -> Void
  ) {
    monitor.locked { underway += 1 }
    do throws(StoreError) {
      try StoreThread { [self] in
        completion(Result { try turn.locked { try make(takenAtUSec) } })
        end()
      }.detach()
    } catch {
      completion(.failure(error))
      end()
    }
  }

  /// Gives up what is underway and returns when that has ended.
  func close() {
    monitor.locked {
      isClosed = true
      while underway > 0 { monitor.wait() }
    }
  }

  private func end() {
    monitor.locked {
      underway -= 1
      monitor.wake()
    }
  }

  private func make(_ takenAtUSec: Int64) throws(StoreError) -> StoreCopy {
    guard !hasClosed, let directory = realpath(store.directory, nil) else { throw .closed }
    defer { free(directory) }
    let file = "\(String(cString: directory))/\(StoreCopy.name(takenAtUSec: takenAtUSec))"
    try Draft.make(file, as: draft, replacing: false) { (draft) throws(StoreError) in
      do throws(StoreError) {
        try fill(draft, takenAtUSec)
      } catch {
        throw hasClosed ? .closed : error
      }
    }
    var status = stat()
    stat(file, &status)
    return StoreCopy(file: file, bytes: Int64(status.st_size), takenAtUSec: takenAtUSec)
  }

  private func fill(_ draft: String, _ takenAtUSec: Int64) throws(StoreError) {
    let source = try Database(path: store.path, mode: .reading)
    sqlite3_progress_handler(source.handle, 1_000, Copier.isGivenUp, Unmanaged.passUnretained(self).toOpaque())
    try source.copy(to: draft)
    try CopyMark.set(in: draft, takenAtUSec: takenAtUSec)
  }

  /// SQLite asks now and then whether it shall break off.
  private static let isGivenUp: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { copier in
    copier.map { Unmanaged<Copier>.fromOpaque($0).takeUnretainedValue().hasClosed } == true ? 1 : 0
  }

  private var hasClosed: Bool { monitor.locked { isClosed } }
}
