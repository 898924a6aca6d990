// SPDX-License-Identifier: Apache-2.0
//
// A family's machine: a booted Debian with the package installed, and the people and services the tests are about.
// Nobody is enrolled and nothing runs until a test says so; what a test needs on top is a few lines of its own.

import StrictJSON
import TestSupport

/// A booted machine with users.
final class Machine {
  /// Who has an account on it. The raw value is the login name.
  enum User: String, CaseIterable {
    /// The child.
    case mia
    /// Her guardians.
    case anna
    case ben
    /// Somebody who has nothing to do with them.
    case otto
    /// A registered service, and its bridge to guardians elsewhere.
    case chat = "example-chat"
    case bridge = "example-chat-bridge"

    var uid: UInt32 {
      switch self {
      case .anna: 1000
      case .ben: 1001
      case .mia: 1002
      case .otto: 1003
      case .chat: 990
      case .bridge: 991
      }
    }
  }

  let container: Container

  /// Boots a machine. Users are made, nobody is enrolled, consentd is not started.
  init(booting root: String? = nil, showing files: [String: String] = [:]) throws {
    container = try Container(booting: try root ?? PreparedRoots.installed(), showing: files)
    let users = User.allCases.map { "useradd --uid=\($0.uid) --user-group \($0.rawValue)" }
    try container.shell(users.joined(separator: "\n"))
  }

  /// Opens the sockets, as an administrator does.
  func start() throws {
    try container.output(of: ["systemctl", "enable", "--now", "consentd.target"])
  }

  /// Opens the sockets and enrols the child with both guardians.
  func startWithFamily() throws {
    try start()
    try consentctl("enroll", "mia", "--born", "2014-03-05", "--guardian", "anna", "--guardian", "ben")
  }

  /// Runs consentctl and gives what it printed. Throws unless it exits with `status`.
  @discardableResult
  func consentctl(_ arguments: String..., as user: User? = nil, status: Int32 = 0) throws -> String {
    let outcome = try container.run(["consentctl"] + arguments, as: user?.rawValue)
    guard outcome.exit == .status(status) else {
      throw TestFailure("consentctl \(arguments) ended with \(outcome.exit): \(outcome.errors)\(outcome.output)")
    }
    return outcome.output
  }

  /// Starts consentctl and leaves it running.
  func starting(_ arguments: String..., as user: User) throws -> Program {
    try container.start(["consentctl"] + arguments, as: user.rawValue)
  }

  /// Lets the child ask for an update and gives the id of the open question.
  func ask(_ change: String) throws -> String {
    let asked = try consentctl(
      "ask", "significantUpdate/\(change)", "--text", "Adds voice rooms.", "--json", as: .mia, status: 4)
    return try JSONObject(parsing: Array(asked.utf8)).text("question")
  }

  /// The ids of the questions a guardian sees.
  func pending(as guardian: User) throws -> [String] {
    let cards = try consentctl("pending", "--json", as: guardian)
    return try JSONObject(parsing: Array(cards.utf8)).list("questions").map { try $0.text("question") }
  }

  /// What the service manager says of a unit.
  func property(_ name: String, of unit: String = "consentd.service") throws -> String {
    try container.output(of: ["systemctl", "show", "--property=\(name)", "--value", unit])
  }

  /// Returns when the service manager says so: it is told a little after the fact.
  func settle(_ name: String, _ value: String, of unit: String = "consentd.service") throws {
    let deadline = Deadline()
    while try property(name, of: unit) != value {
      guard !deadline.hasPassed else { throw TestFailure("\(name) is \(try property(name, of: unit))") }
    }
  }

  /// What the daemon has written to the journal, a line each.
  func journal() throws -> [String] {
    let lines = try container.output(
      of: ["journalctl", "--unit=consentd", "--output=cat", "--no-pager", "_COMM=consentd"])
    return lines.split(separator: "\n").map(String.init)
  }
}
