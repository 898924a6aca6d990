// SPDX-License-Identifier: Apache-2.0
//
// From what went wrong to one line that says what to do next, and to the exit status. Every error of the contract has
// its line here; one that is not known is named and not guessed at.

import ConsentKit
import HostRuntime
import StrictJSON

/// Explains failures.
enum Failures {
  /// The exit status and the line for whatever a command threw.
  static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let failure as CommandFailure: failure
    case let error as ConsentError: self.failure(error, message(error))
    case let error as SystemError: .failure(TerminalText.line(error.description))
    default: .failure(TerminalText.line("\(error)"))
    }
  }

  /// What programs are told of whatever a command threw; `nil` where nobody reads it.
  static func json(_ error: any Error) -> JSONObject? {
    let failure = failure(error)
    guard let message = failure.message else { return nil }
    guard let cause = failure.cause else {
      return ["error": failure.exit == .usage ? "Usage" : "Failure", "message": .string(message)]
    }
    var json = json(cause)
    json["message"] = .string(message)
    return json
  }

  /// The failure of a command that `error` brought to an end, with a line that says more than the error's own.
  static func failure(_ error: ConsentError, _ message: String) -> CommandFailure {
    CommandFailure(exit: exit(error), message: message, cause: error)
  }

  /// An error for programs: its name, its parameters and the line.
  static func json(_ error: ConsentError) -> JSONObject {
    var json: JSONObject = ["error": .string(name(error))]
    if case .refused(let refusal) = error, !refusal.parameters.isEmpty {
      json["parameters"] = .object(refusal.parameters)
    }
    json["message"] = .string(message(error))
    return json
  }

  private static func exit(_ error: ConsentError) -> ExitCode {
    if case .refused(let refusal) = error { ExitCode(refusal: refusal) } else { .failure }
  }

  private static func name(_ error: ConsentError) -> String {
    switch error {
    case .unreachable: "Unreachable"
    case .connectionLost: "ConnectionLost"
    case .protocolViolation: "ProtocolViolation"
    case .refused(let refusal): refusal.name
    case .cancelled: "Cancelled"
    }
  }

  /// The line for a call that gave no result.
  static func message(_ error: ConsentError) -> String {
    switch error {
    case .unreachable(let path, let reason): Messages.unreachable(path, reason)
    case .connectionLost: Messages.connectionLost
    case .protocolViolation(let reason): Messages.protocolViolation(reason)
    case .refused(let refusal): Messages.refused(refusal)
    case .cancelled: Messages.cancelled
    }
  }
}
