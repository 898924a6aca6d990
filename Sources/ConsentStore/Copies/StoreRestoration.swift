// SPDX-License-Identifier: Apache-2.0
//
// Puts a copy in the place of a store. No daemon may run meanwhile, which the store's lock decides. The copy is judged
// first and changed nowhere; then a store is made from it under another name, the one that stands gets a second, dated
// name, and one rename puts the new one in its place. A crash before that leaves the store as it was.

import Glibc

/// What a restoration did.
package struct StoreRestoration: Sendable, Equatable {
  /// The store that was put in place.
  package let store: String
  /// The instant the copy is of, microseconds since the Unix epoch; the file's last change where it is not marked.
  package let takenAtUSec: Int64
  /// The name the store before it has now, where there was one; its log has the same with `-wal`.
  package let setAside: String?

  /// Puts the store in `file` in place of the one in `directory`; it belongs to whom the directory belongs to.
  ///
  /// Throws a `StoreError`, `inUse` where a daemon runs; the store is as it was then.
  package init(of file: String, into directory: String, nowUSec: Int64) throws(StoreError) {
    let store = StoreFile(path: "\(directory)/\(SQLiteStore.fileName)")
    try store.checkDirectory()
    let lock = try StoreLock(of: store.path)
    let owner = try Owner(of: store.directory)
    lock.give(to: owner)
    let report = try StoreCheck.run(file)
    if let problem = report.problems.first { throw .damaged(detail: problem) }
    let takenAt = try StoreRestoration.instant(of: report)
    let present = PresentStore(store)
    var setAside: String?
    try Draft.make(store.path, as: store.draft, replacing: true) { (draft) throws(StoreError) in
      try Database(reading: StoreFile(path: file)).copy(to: draft)
      try CopyMark.set(in: draft, takenAtUSec: takenAt, reached: present.newestSequence)
      guard chown(draft, owner.uid, owner.gid) == 0 else { throw .cannotWrite(draft, errno: errno) }
      setAside = try present.setAside(nowUSec: nowUSec)
    }
    self.store = store.path
    takenAtUSec = takenAt
    self.setAside = setAside
    withExtendedLifetime(lock) {}
  }

  private static func instant(of report: StoreReport) throws(StoreError) -> Int64 {
    if let marked = report.takenAtUSec { return marked }
    var status = stat()
    guard stat(report.file, &status) == 0 else { throw .cannotOpen(path: report.file, errno: errno, of: report.file) }
    return Int64(status.st_mtim.tv_sec) * 1_000_000
  }
}

/// Whose a file is.
struct Owner {
  let uid: UInt32
  let gid: UInt32

  /// The owner of `path`, which is there.
  init(of path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotOpen(path: path, errno: errno, of: path) }
    (uid, gid) = (status.st_uid, status.st_gid)
  }
}

/// The store that has to make room. It may be whole, damaged, another program's, or not there.
private struct PresentStore {
  private let file: StoreFile
  /// The highest sequence it has handed out, as far as that can be read.
  let newestSequence: Int64

  /// Looks at the store at `file`. The log of one that is whole is folded into it, so that it is one file.
  init(_ file: StoreFile) {
    self.file = file
    newestSequence = PresentStore.fold(file) ?? 0
  }

  /// A later version's too: an older program may be put back with a copy it can read.
  private static func fold(_ file: StoreFile) -> Int64? {
    do throws(StoreError) {
      guard case .store = try file.content(for: .current) else { return nil }
    } catch {
      guard case .newerSchema = error else { return nil }
    }
    guard let database = try? Database(path: file.path, mode: .writing) else { return nil }
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try? Connection(database).first(.newestSequence)
  }

  /// Gives database and log a second name and takes the log's first away: it would be taken for the next database's.
  func setAside(nowUSec: Int64) throws(StoreError) -> String? {
    let name = "\(file.path).\(PresentStore.stamp(nowUSec))"
    let isThere = try link(file.path, to: name)
    let hasLog = try link("\(file.path)-wal", to: "\(name)-wal")
    if hasLog { unlink("\(file.path)-wal") }
    return isThere || hasLog ? name : nil
  }

  private func link(_ path: String, to name: String) throws(StoreError) -> Bool {
    if Glibc.link(path, name) == 0 { return true }
    if errno == ENOENT { return false }
    throw .cannotWrite(name, errno: errno)
  }

  /// The instant in UTC, fit for a file's name.
  private static func stamp(_ usec: Int64) -> String {
    var seconds = time_t(usec / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room in
      let count = strftime(room.baseAddress, room.count, "%Y-%m-%dT%H-%M-%S", &parts)
      return String(decoding: UnsafeRawBufferPointer(room).prefix(count), as: UTF8.self)
    }
    return "\(text).\(usec % 1_000_000)"
  }
}
