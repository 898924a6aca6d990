// SPDX-License-Identifier: Apache-2.0
//
// The ways a call ends without its result. None of them is an answer to a question: a lost connection or a refusal
// is never a denial.

package import StrictJSON

/// Why a call gave no result.
public enum ConsentError: Error, Sendable {
  /// Nobody serves the socket, or it cannot be reached; `reason` is the system's word for it.
  case unreachable(path: String, reason: String)
  /// The daemon went away before it replied. Whether the call had an effect is not known.
  case connectionLost
  /// What came was no Varlink.
  case protocolViolation(String)
  /// The daemon replied with an error.
  case refused(Refusal)
  /// The caller's task was cancelled.
  case cancelled
}

/// An error the daemon replied with.
public struct Refusal: Sendable {
  /// The full name, as in `org.consentd.Permission.NotAvailable`.
  public let name: String
  package let parameters: JSONObject

  package init(name: String, parameters: JSONObject) {
    self.name = name
    self.parameters = parameters
  }

  /// The last part of the name, as in `NotAvailable`.
  public var shortName: String { name.split(separator: ".").last.map(String.init) ?? name }

  /// A parameter of the error that is a string.
  public func text(_ parameter: String) -> String? { parameters[parameter]?.string }

  /// A parameter of the error that is a whole number.
  public func number(_ parameter: String) -> Int64? { parameters[parameter]?.integer }

  /// Whether the same call may succeed later without anybody's doing.
  public var isRetryable: Bool { parameters["retryable"]?.bool ?? false }
}
