// SPDX-License-Identifier: Apache-2.0
//
// A directory of a test's own that goes with the test.

import Foundation

/// A fresh directory, short enough in its path for a Unix socket, removed with all its content at the end.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// Makes the directory below the system's directory for temporary files.
  package init() throws {
    let name = "consentd-\(UInt32.random(in: 0 ... .max))"
    let place = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    path = place.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of `name` below the directory.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `text` to the file `name` below the directory.
  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
  }

  /// The bytes of the file `name` below the directory.
  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }
}
