// SPDX-License-Identifier: Apache-2.0
//
// The limits by name: what is counted when one is met, what its log line says, and what the caller is told.

import ConsentModel

/// A limit that a caller can meet.
enum Limit: String, CaseIterable {
  /// One connection too many: the newest is refused.
  case connections
  /// The table is full: a connection that did nothing makes room.
  case idle
  /// One call too soon.
  case calls
  /// One waiting call too many.
  case waiting
  /// One open question too many.
  case openQuestions
  /// Too many bytes queued: that connection is closed.
  case queuedBytes
  /// Nothing taken, or a message unfinished, for too long: that connection is closed.
  case patience

  /// What a log line says of a user who met it.
  var sentence: String {
    switch self {
    case .connections: "has too many connections: the newest are refused"
    case .idle: "has the most connections and the table is full: its longest idle ones are closed"
    case .calls: "calls too often: calls are refused and its connections are read later"
    case .waiting: "has too many calls that wait: the newest are refused"
    case .openQuestions: "has too many open questions: new ones are refused"
    case .queuedBytes: "left too many bytes queued: the connections that hold them are closed"
    case .patience: "took nothing, or left a message unfinished, for 30 s: such connections are closed"
    }
  }
}

extension Refusal {
  /// The limit behind a refusal, if one is.
  var limit: Limit? {
    switch self {
    case .notAvailable(.tooManyConnections, _): .connections
    case .notAvailable(.tooManyCalls, _): .calls
    case .notAvailable(.tooManyWaiting, _): .waiting
    case .notAvailable(.tooManyQuestions, _), .tooManyPending: .openQuestions
    default: nil
    }
  }
}
