// SPDX-License-Identifier: Apache-2.0
//
// What a script learns from consentctl: one number. Zero is only ever a yes, or a thing that was done; a word the
// daemon says and this program does not know never becomes one.

import ConsentKit

/// The exit status of consentctl.
enum ExitCode: Int32, Sendable {
  /// Yes, or done.
  case yes = 0
  case failure = 1
  case usage = 2
  /// No: denied, restricted, declined, or below the age.
  case no = 3
  case pending = 4
  /// Expired, withdrawn, superseded, moot, or a word from a later version.
  case endedOtherwise = 5
  /// There is no answer, and none can be had now.
  case notAvailable = 6
  /// A file that cannot be read as a store: what consentd itself ends with.
  case unreadableStore = 65
}

extension ExitCode {
  /// What a question's state comes to.
  init(state: String) {
    switch state {
    case "approved", "notRequired": self = .yes
    case "denied": self = .no
    case "pending": self = .pending
    default: self = .endedOtherwise
    }
  }

  /// What the status of a topic comes to.
  init(status: String) {
    switch status {
    case "approved", "limited", "notRequired": self = .yes
    case "denied", "restricted": self = .no
    case "pending": self = .pending
    case "notDetermined": self = .notAvailable
    default: self = .endedOtherwise
    }
  }

  /// What a refusal by the daemon comes to.
  init(refusal: Refusal) {
    switch refusal.shortName {
    case "NotAvailable", "CoolingDown", "TooManyPending": self = .notAvailable
    case "AlreadyDecided": self = .endedOtherwise
    case "InvalidValue", "InvalidTopic", "InvalidGates", "InvalidParameter": self = .usage
    default: self = .failure
    }
  }
}

/// Why a command ends early: its exit status, and one line that says what to do next.
struct CommandFailure: Error {
  let exit: ExitCode
  /// One line, already fit for a terminal; `nil` where there is nothing to say.
  let message: String?
  /// What the daemon, or the way to it, had to do with it; programs are told.
  var cause: ConsentError?

  /// Something typed was wrong.
  static func usage(_ message: String) -> CommandFailure { CommandFailure(exit: .usage, message: message) }
  /// Something could not be done.
  static func failure(_ message: String) -> CommandFailure { CommandFailure(exit: .failure, message: message) }
}
