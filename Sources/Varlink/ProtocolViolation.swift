// SPDX-License-Identifier: Apache-2.0
//
// What a peer can do for which Varlink has no reply: the connection is closed and one line is logged. The line names
// what was wrong and where; what it quotes of the peer's bytes is cut short and escaped, so that a log stays a log.

/// Why a connection cannot go on (UAPI.20, "Connection Lifecycle").
package enum ProtocolViolation: Error, Equatable {
  /// A message is longer than `limit` bytes.
  case messageTooLong(limit: Int)
  /// A message is no JSON object we accept; `position` counts bytes from its start.
  case notJSON(reason: String, position: Int)
  /// A member of the header that no version of the protocol defines and no vendor owns.
  case unknownMember(String)
  /// A member of the header under a vendor's name that is no object.
  case vendorMemberNotObject(String)
  /// A call without a method, or with one that is no string.
  case noMethod
  /// `parameters` that are neither an object nor null.
  case parametersNotObject
  /// A flag that is neither true nor false.
  case flagNotBoolean(String)
  /// More than one of `oneway`, `more` and `upgrade` is true.
  case severalFlags
  /// The input ended before the NUL of a message that had begun.
  case inputEndedInsideMessage
  /// An `error` that is no string.
  case errorNotString
  /// An error that claims to be followed by more replies.
  case errorContinues
  /// `continues` in a reply to a call that did not ask for more.
  case continuesNotAsked
  /// A reply although no call waits for one.
  case replyWithoutCall
}

extension ProtocolViolation: CustomStringConvertible {
  /// One line for the log, in printable ASCII.
  package var description: String {
    switch self {
    case .messageTooLong(let limit): "a message is longer than \(limit) bytes"
    case .notJSON(let reason, let position): "not the JSON we accept at byte \(position): \(quoted(reason))"
    case .unknownMember(let name): "unknown member \(quoted(name)) in the header"
    case .vendorMemberNotObject(let name): "the vendor's member \(quoted(name)) is not an object"
    case .noMethod: "the call names no method"
    case .parametersNotObject: "'parameters' is not an object"
    case .flagNotBoolean(let name): "the flag \(quoted(name)) is not a boolean"
    case .severalFlags: "more than one of 'oneway', 'more' and 'upgrade' is set"
    case .inputEndedInsideMessage: "the input ended inside a message"
    case .errorNotString: "'error' is not a string"
    case .errorContinues: "an error with 'continues'"
    case .continuesNotAsked: "'continues' although 'more' was not asked for"
    case .replyWithoutCall: "a reply without a call"
    }
  }

  /// One line for a log that may hold nothing of what peers say to each other.
  package var withoutQuotation: String {
    switch self {
    case .notJSON(_, let position): "not the JSON we accept at byte \(position)"
    case .unknownMember: "unknown member in the header"
    case .vendorMemberNotObject: "a vendor's member in the header is not an object"
    default: description
    }
  }

  /// The longest piece of a peer's text that is quoted, in characters.
  private static let quotedLimit = 80

  private func quoted(_ text: String) -> String {
    var quotation = "'"
    for scalar in text.unicodeScalars.prefix(Self.quotedLimit) {
      quotation += scalar.escaped(asASCII: true)
    }
    return quotation + (text.unicodeScalars.count > Self.quotedLimit ? "…'" : "'")
  }
}
