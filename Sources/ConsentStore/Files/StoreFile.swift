// SPDX-License-Identifier: Apache-2.0
//
// The file before SQLite touches it. What is there already is looked at, never changed: a file that is not a store of
// ours, or one from a later version, is left as it was, and so is everything beside it. A new store is made under
// another name and appears complete, so no half-made one is ever met.

import Glibc

/// The place of a store in the file system.
struct StoreFile {
  /// What stands at the path.
  enum Content {
    /// No file, or an empty one.
    case nothing
    /// A store whose schema this program knows.
    case store
  }

  let path: String
  let directory: String

  init(path: String) {
    self.path = path.utf8.first == UInt8(ascii: "/") ? path : "./\(path)"
    directory = Draft.directory(of: self.path)
  }

  /// Throws `cannotOpen` unless the directory is there and not everybody may put files into it.
  func checkDirectory() throws(StoreError) {
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .cannotOpen(path: path, errno: errno, of: directory) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotOpen(path: path, detail: "\(directory) is no directory")
    }
    guard status.st_mode & S_IWOTH == 0 else {
      throw .cannotOpen(path: path, detail: "everybody may write in \(directory)")
    }
  }

  /// Looks at the file's header.
  ///
  /// Throws `foreign`, `newerSchema`, `damaged` or `cannotOpen` when what is there cannot be used with `schema`.
  func content(for schema: Schema) throws(StoreError) -> Content {
    guard let header = try readHeader() else {
      try checkForOrphans()
      return .nothing
    }
    guard header.isDatabase else { throw .damaged(detail: "\(path) is no database") }
    guard header.applicationID == Schema.applicationID else { throw .foreign(path: path) }
    guard header.schemaVersion > 0 else {
      throw .damaged(detail: "its schema has the version \(header.schemaVersion)")
    }
    try schema.check(Int(header.schemaVersion))
    return .store
  }

  /// Makes an empty store with the tables of `schema`, readable for this user alone.
  func create(with schema: Schema) throws(StoreError) {
    try Draft.make(path, as: draft, replacing: true) { (draft) throws(StoreError) in
      let database = try Database(path: draft, mode: .writing)
      try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL")
      try schema.migrate(database)
    }
  }

  /// The name under which a store is made.
  var draft: String { "\(path)-new" }

  private func readHeader() throws(StoreError) -> DatabaseHeader? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .cannotOpen(path: path, errno: errno, of: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotOpen(path: path, detail: "it is no regular file")
    }
    if status.st_size == 0 { return nil }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .cannotOpen(path: path, errno: errno, of: path) }
    return DatabaseHeader(Array(bytes.prefix(count)))
  }

  /// A log without its database would be taken for the new database's own, and holds what was promised to be kept.
  private func checkForOrphans() throws(StoreError) {
    for log in ["\(path)-wal", "\(path)-journal"] {
      var status = stat()
      if lstat(log, &status) == 0 && status.st_size > 0 {
        throw .damaged(detail: "the log \(log) is there without its database")
      }
    }
  }
}

extension Database {
  /// Opens a store to look at it. One that was closed is one file, and no others are made beside it; one that has a log
  /// is read with it.
  convenience init(reading file: StoreFile) throws(StoreError) {
    var status = stat()
    let hasLog = stat("\(file.path)-wal", &status) == 0
    try self.init(path: file.path, mode: hasLog ? .reading : .readingAlone)
  }
}

extension StoreError {
  /// The store at `path` cannot be opened, because a system call on `file` failed with `errno`.
  static func cannotOpen(path: String, errno: Int32, of file: String) -> StoreError {
    let reason = String(cString: strerror(errno))
    return .cannotOpen(path: path, detail: file == path ? reason : "\(file): \(reason)")
  }
}
