// SPDX-License-Identifier: Apache-2.0
//
// A copy of a store is a store: one file, complete, that says inside that it is a copy and of which instant. It is made
// by `VACUUM INTO` (docs/decisions/0011): one read transaction, which writers go on beside, and what was deleted or is
// damaged is not carried along.

import Glibc

/// A finished copy of a store.
package struct StoreCopy: Sendable, Equatable {
  /// The absolute path of the file.
  package let file: String
  package let bytes: Int64
  /// The instant whose state it has at least, microseconds since the Unix epoch.
  package let takenAtUSec: Int64

  package init(file: String, bytes: Int64, takenAtUSec: Int64) {
    self.file = file
    self.bytes = bytes
    self.takenAtUSec = takenAtUSec
  }

  /// How the names of copies in a state directory begin.
  private static let prefix = "consentd-backup-"

  /// The name of a copy.
  static func name(takenAtUSec: Int64) -> String { "\(prefix)\(takenAtUSec).db" }

  /// Moves the copy to `path`, which then has it complete or does not exist; it goes from where it was in either case.
  ///
  /// Where it lies is a daemon's word, and who moves it may well be root: a file that is not plainly a copy of a store
  /// is neither read nor removed.
  package func move(to path: String, replacing: Bool) throws(StoreError) {
    guard let name = file.split(separator: "/").last, name.hasPrefix(StoreCopy.prefix) else {
      throw .cannotOpen(path: file, detail: "it is not named like a copy")
    }
    let source = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard source >= 0 else { throw .cannotOpen(path: file, errno: errno, of: file) }
    defer { close(source) }
    try StoreCopy.checkHeader(of: source, file)
    defer { unlink(file) }
    let directory = Draft.directory(of: path)
    let draft = "\(directory)/.\(path.split(separator: "/").last ?? "").consentd-new"
    try Draft.make(path, as: draft, replacing: replacing) { (draft) throws(StoreError) in
      try StoreCopy.transfer(source, to: draft)
    }
  }

  private static func checkHeader(of source: Int32, _ file: String) throws(StoreError) {
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      throw .cannotOpen(path: file, detail: "it is no regular file")
    }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let count = pread(source, &bytes, bytes.count, 0)
    let header = DatabaseHeader(Array(bytes.prefix(max(0, count))))
    guard header.isDatabase, header.applicationID == Schema.applicationID else { throw .foreign(path: file) }
  }

  private static func transfer(_ source: Int32, to path: String) throws(StoreError) {
    let target = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard target >= 0 else { throw .cannotWrite(path, errno: errno) }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count >= 0 else { throw .cannotOpen(path: path, errno: errno, of: "the copy") }
      if count == 0 { return }
      var rest = buffer[..<count]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
        guard written > 0 else { throw .cannotWrite(path, errno: errno) }
        rest = rest.dropFirst(written)
      }
    }
  }
}

extension Database {
  /// Copies what is committed into the empty file at `path`.
  func copy(to path: String) throws(StoreError) {
    try Statement(SQL.vacuumInto, in: self).run([path], in: self) { _ in }
  }
}

extension SQL {
  fileprivate static let vacuumInto = SQL("VACUUM INTO ?")
}
