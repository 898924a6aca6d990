// SPDX-License-Identifier: Apache-2.0
//
// The first 100 bytes of every SQLite database (https://www.sqlite.org/fileformat.html, section 1.3): enough to tell
// whose file it is without opening it as one.

/// The header of a database file.
struct DatabaseHeader {
  /// Bytes.
  static let size = 100

  /// Whether the file is a database of SQLite at all.
  let isDatabase: Bool
  let applicationID: Int32
  let schemaVersion: Int32

  /// Reads the header from the first bytes of a file; fewer than `size` are no database.
  init(_ bytes: [UInt8]) {
    isDatabase = bytes.count == DatabaseHeader.size && bytes.starts(with: "SQLite format 3\0".utf8)
    applicationID = DatabaseHeader.integer(at: 68, in: bytes)
    schemaVersion = DatabaseHeader.integer(at: 60, in: bytes)
  }

  private static func integer(at offset: Int, in bytes: [UInt8]) -> Int32 {
    let value = bytes.dropFirst(offset).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int32(bitPattern: value)
  }
}
