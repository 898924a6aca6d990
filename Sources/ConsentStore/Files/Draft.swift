// SPDX-License-Identifier: Apache-2.0
//
// A file that stands under its name complete, or not at all. It is filled under another name in the same directory,
// flushed, and only then given its own; whatever ends the work before that leaves at most the other name, which the next
// attempt takes over.

import Glibc

/// The making of a file.
enum Draft {
  /// Makes the file `path`: `fill` writes it under the name `draft`, where an empty file of this user's stands.
  ///
  /// Throws what `fill` throws, `exists` where `path` is there and may not be replaced, `full` and `cannotWrite`.
  static func make(
    _ path: String, as draft: String, replacing: Bool, fill: (String) throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try makeEmptyFile(draft)
      try fill(draft)
      try flush(draft, O_RDONLY)
      try give(path, to: draft, replacing: replacing)
    } catch {
      discard(draft)
      throw error
    }
    try flush(directory(of: path), O_RDONLY | O_DIRECTORY)
  }

  /// Removes what an interrupted attempt left.
  static func discard(_ draft: String) {
    unlink(draft)
    unlink("\(draft)-journal")
  }

  /// The directory a path names a file in.
  static func directory(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func makeEmptyFile(_ draft: String) throws(StoreError) {
    discard(draft)
    let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(draft, errno: errno) }
    close(descriptor)
  }

  private static func flush(_ path: String, _ flags: Int32) throws(StoreError) {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotWrite(path, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .cannotWrite(path, errno: errno) }
  }

  /// A second name never takes the place of a file, a rename does. Where a file system has no second names, what is
  /// there already is looked for first.
  private static func give(_ path: String, to draft: String, replacing: Bool) throws(StoreError) {
    if !replacing {
      if link(draft, path) == 0 {
        unlink(draft)
        return
      }
      var status = stat()
      guard errno != EEXIST, lstat(path, &status) != 0 else { throw .exists(path: path) }
    }
    guard rename(draft, path) == 0 else { throw .cannotWrite(path, errno: errno) }
  }
}

extension StoreError {
  /// A system call on `path` failed with `errno`.
  static func cannotWrite(_ path: String, errno: Int32) -> StoreError {
    if errno == ENOSPC || errno == EDQUOT { return .full }
    return .cannotWrite(path: path, detail: String(cString: strerror(errno)))
  }
}
