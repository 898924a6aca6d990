// SPDX-License-Identifier: Apache-2.0
//
// Every line the daemon writes. There is no other way to write one, so this file says what is logged: start and stop,
// how questions end, whom something was refused, what broke. Not who asked what: no text of a question, no handle, no
// name and no birth date has a place in any case here, and what a peer wrote is never quoted.

import ConsentModel
import ConsentStore
import HostRuntime
import Varlink

/// One line of the log.
enum LogEntry: Sendable {
  case serving(directory: String, isSandbox: Bool)
  /// `left`: how many connections the next process goes on with.
  case stopped(left: Int)
  /// So many connections of an earlier process are served on.
  case tookOver(Int)
  /// The store is a backup that was put in place.
  case tookUpBackup(TakenUpCopy)
  /// What ends the daemon.
  case ended(Fault)
  /// `files`: how many were read.
  case reloaded(files: Int)
  case notReloaded(SettingsFault)
  case questionEnded(EndedQuestion)
  case refused(RefusedCall)
  case limitMet(Limit, uid: UserID)
  case protocolViolation(ProtocolViolation, uid: UserID, pid: Int32)
  /// A connection that could not be taken or served; `uid` where it is known.
  case connectionRefused(SystemError, uid: UserID?)
  /// `store`: the path of the file.
  case storageFailed(any Error, store: String)
  /// Questions whose time is up could not be ended.
  case deadlinesMissed(retryUSec: Int64)
  case managerNotTold(SystemError)
  /// Connections that the service manager did not take into its keeping.
  case notHandedOver(connections: Int, SystemError)
  /// Connections of an earlier process of which nobody can say how far they had come.
  case notTakenOver(connections: Int, HandoverError)
  /// What the service manager may hand over once more.
  case notForgotten(SystemError)
}

extension LogEntry {
  /// What the line is an instance of.
  var kind: LogKind {
    switch self {
    case .serving: .serving
    case .stopped: .stopped
    case .tookOver: .tookOver
    case .tookUpBackup: .tookUpBackup
    case .ended(let fault): fault.kind
    case .reloaded: .reloaded
    case .notReloaded: .notReloaded
    case .questionEnded(let question): question.logKind
    case .refused(let call): call.kind
    case .limitMet: .limitReached
    case .protocolViolation: .protocolViolation
    case .connectionRefused: .connectionRefused
    case .storageFailed: .storageFailed
    case .deadlinesMissed: .deadlinesMissed
    case .managerNotTold: .managerNotTold
    case .notHandedOver, .notTakenOver, .notForgotten: .connectionsLost
    }
  }

  /// How bad it is.
  var level: Journal.Level {
    switch self {
    case .ended, .notReloaded, .storageFailed, .deadlinesMissed: .error
    case .limitMet, .protocolViolation, .connectionRefused, .managerNotTold: .warning
    case .notHandedOver, .notTakenOver, .notForgotten: .warning
    case .refused(let call): [.limitReached, .personChanged, .accountsUnknown].contains(call.kind) ? .warning : .notice
    case .serving, .stopped, .tookOver, .tookUpBackup, .reloaded: .notice
    case .questionEnded: .info
    }
  }

  /// The line itself.
  var message: String {
    switch self {
    case .serving(let directory, let isSandbox): "serving \(directory)\(isSandbox ? " (sandbox)" : "")"
    case .stopped(let left):
      "stopped; open questions stay open" + (left == 0 ? "" : "; connections left to the next process: \(left)")
    case .tookOver(let count): "goes on with \(count) connection\(count == 1 ? "" : "s") of an earlier process"
    case .tookUpBackup(let copy): copy.sentence
    case .ended(let fault): fault.message
    case .reloaded(let files): "configuration reloaded; files read: \(files)"
    case .notReloaded(let fault): "configuration not reloaded: \(fault)"
    case .questionEnded(let question): question.sentence
    case .refused(let call): call.sentence
    case .limitMet(let limit, let uid): "uid \(uid) \(limit.sentence)"
    case .protocolViolation(let violation, let uid, let pid):
      "closed a connection of uid \(uid), pid \(pid): \(violation.withoutQuotation)"
    case .connectionRefused(let error, let uid):
      "refused a connection\(uid.map { " of uid \($0)" } ?? ""): \(error)"
    case .storageFailed(let error, let store):
      ["the store failed: \(error)", (error as? StoreError)?.remedyInUse(for: store)].compactMap { $0 }
        .joined(separator: " ")
    case .deadlinesMissed(let retryUSec):
      "questions whose time is up cannot be ended; next try in \(retryUSec / 1_000_000) s"
    case .managerNotTold(let error): "the service manager was not told the status: \(error)"
    case .notHandedOver(let connections, let error):
      "closed the connections with a call under way, \(connections): the service manager did not take them: \(error)"
    case .notTakenOver(let connections, let error):
      "closed the connections of an earlier process, \(connections): of the list it left, \(error)"
    case .notForgotten(let error): "the service manager may still keep connections of an earlier process: \(error)"
    }
  }

  /// What a search in the journal goes by.
  var fields: [Journal.Field] {
    switch self {
    case .questionEnded(let question): question.fields
    case .refused(let call): call.fields
    case .limitMet(_, let uid), .protocolViolation(_, let uid, _), .connectionRefused(_, let uid?):
      [("CONSENT_UID", "\(uid)")]
    default: []
    }
  }

  /// Whose lines are counted together, so that nobody fills the log; `nil` where each one counts.
  var source: LogSource? {
    switch self {
    case .refused(let call): .peer(call.uid)
    case .limitMet(_, let uid), .protocolViolation(_, let uid, _), .connectionRefused(_, let uid?): .peer(uid)
    case .connectionRefused, .storageFailed, .managerNotTold: .fault(kind)
    default: nil
    }
  }

  /// Writes the line, and how many `more` like it were left out.
  func write(to journal: Journal, more: Int = 0) {
    let rest = more > 0 ? " (\(more) more like this)" : ""
    journal.log(level, message + rest, id: kind.rawValue, fields: fields)
  }
}

extension Fault {
  fileprivate var kind: LogKind {
    switch code {
    case 65: .storeUnusable
    case 78: .configurationUnusable
    default: .cannotRun
    }
  }
}

extension TakenUpCopy {
  fileprivate var sentence: String {
    let date = HostClock.civilDate(atWallUSec: takenAtUSec)
    let day = CivilDate(year: date.year, month: date.month, day: date.day).map { "\($0)" } ?? "an unknown day"
    return "the store is a backup of \(day) that was put in place; every app's events go on \(jump) numbers further"
  }
}

extension EndedQuestion {
  fileprivate var logKind: LogKind {
    switch state {
    case .approved, .denied, .pending: .decided
    case .expired: .expired
    case .withdrawn: .withdrawn
    case .superseded: .superseded
    case .moot: .moot
    }
  }

  fileprivate var sentence: String {
    let why = decidedBy.map { " by \($0)" } ?? reason.map { " (\($0))" } ?? ""
    return "question \(question) is \(state.rawValue)\(why)"
  }

  fileprivate var fields: [Journal.Field] {
    [("CONSENT_QUESTION", question.description), ("CONSENT_PERSON", person)]
      + (asker.app.map { [("CONSENT_APP", $0.text)] } ?? [])
      + [("CONSENT_TOPIC", topicKind), ("CONSENT_UID", "\(asker.uid)")]
  }
}
