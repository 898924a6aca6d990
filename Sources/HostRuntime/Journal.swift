// SPDX-License-Identifier: Apache-2.0
//
// Where log lines go: into the journal with their fields where standard error is connected to it, to standard error
// where it is not, or into a file where a sandbox keeps its own log. A line stays one line whatever a peer put into it.
//
// Logging never fails and never waits for a decision of the caller: a line that cannot be written is lost.

internal import CSystemd
internal import Glibc

/// A log and its destination.
package struct Journal: Sendable {
  /// How bad it is, as syslog counts.
  package enum Level: Int32, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
  }

  /// A field of a line: a name of upper-case letters, digits and underscores, and its value.
  package typealias Field = (name: String, value: String)

  private enum Destination: Sendable {
    case journal
    case standardError
    case file(Descriptor)
  }

  private let destination: Destination

  /// The log of a process that was started by whoever reads it: the journal, or standard error.
  package init() {
    var status = stat()
    let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
    let isJournal = fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    destination = isJournal ? .journal : .standardError
  }

  /// A log in a file, which is made where it is not there and added to where it is.
  package init(file path: String) throws(SystemError) {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    destination = .file(try Descriptor(opening: number, "open \(path)"))
  }

  /// Writes one line. `id` is the kind of line it is, 32 hex digits, by which a journal explains it.
  package func log(_ level: Level, _ message: String, id: String? = nil, fields: [Field] = []) {
    let message = PrintableText.escaping(message)
    switch destination {
    case .journal:
      if Self.send(level, message, fields + (id.map { [("MESSAGE_ID", $0)] } ?? [])) { return }
      Self.write(Self.line(level, message, fields), to: STDERR_FILENO)
    case .standardError: Self.write(Self.line(level, message, fields), to: STDERR_FILENO)
    case .file(let file): Self.write("\(Self.timestamp()) \(Self.line(level, message, fields))", to: file.number)
    }
  }
}

extension Journal {
  private static func line(_ level: Level, _ message: String, _ fields: [Field]) -> String {
    let values = fields.map { " \($0.name)=\(PrintableText.escaping($0.value))" }.joined()
    return "\(level): \(message)\(values)\n"
  }

  /// The present second in UTC, in the form of RFC 3339.
  private static func timestamp() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room in
      let count = strftime(room.baseAddress, room.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      return String(decoding: UnsafeRawBufferPointer(room).prefix(count), as: UTF8.self)
    }
  }

  private static func write(_ line: String, to number: Int32) {
    var line = line
    line.withUTF8 { _ = Glibc.write(number, $0.baseAddress, $0.count) }
  }

  /// Sends an entry with its fields; false where the journal did not take it.
  private static func send(_ level: Level, _ message: String, _ fields: [Field]) -> Bool {
    let entry = ["PRIORITY=\(level.rawValue)", "MESSAGE=\(message)"] + fields.map { "\($0.name)=\($0.value)" }
    let lengths = entry.map(\.utf8.count)
    var bytes = Array(entry.joined().utf8)
    return bytes.withUnsafeMutableBytes { bytes in
      var start = 0
      let parts = lengths.map { length in
        defer { start += length }
        return iovec(iov_base: bytes.baseAddress.map { $0 + start }, iov_len: length)
      }
      return sd_journal_sendv(parts, Int32(clamping: parts.count)) >= 0
    }
  }
}
