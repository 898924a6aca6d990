// SPDX-License-Identifier: Apache-2.0
//
// The journal's side of its native protocol, held by a test: what a daemon that is connected to a journal writes into
// it, with every field. A mount namespace of the daemon's own puts this socket where the journal's would be; that needs
// root.

/// A journal of a test's own.
package final class JournalSocket {
  private let socket: NotifySocket
  private let directory: TemporaryDirectory

  package init() throws {
    directory = try TemporaryDirectory()
    socket = try NotifySocket(path: directory.file("socket"))
  }

  /// Runs a program so that its standard error is connected to this journal.
  package var wrapper: Program.Wrapper { .journal(directory.path) }

  /// The fields of every line that has arrived, oldest first.
  package func lines() throws -> [[String: String]] {
    try socket.collect()
    return socket.messages.map { message in
      message.reduce(into: [:]) { fields, assignment in
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        fields[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
      }
    }
  }
}
