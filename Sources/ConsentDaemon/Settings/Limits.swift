// SPDX-License-Identifier: Apache-2.0
//
// Every bound of what callers may take, with its default and the reason for it. One connection by itself is bounded by
// `SessionLimits` (Varlink); here stands what one user, and what everybody together, may have.
//
// The defaults are meant for two machines: a family's laptop, where four people run some thirty apps each, and a
// school's PC, where sixty pupils may be logged in at once and one of them will try to break it. No user who uses the
// daemon as it is meant meets a limit; one who does not harms only the programs of the same user.
//
// A user is a uid. Whoever has a range of them (`/etc/subuid`) has as many allowances, and is held by the totals alone.

import ConsentBroker

/// What callers may take.
struct Limits: Sendable, Equatable {
  /// What one user, or everybody together, may take.
  struct Allowance: Sendable, Equatable {
    /// Connections at a time. One more is answered `NotAvailable(tooManyConnections)` at its first call and closed.
    var connections: Int
    /// Calls that wait for a question to end, and streams, at a time. One more: `NotAvailable(tooManyWaiting)`.
    var waiting: Int
    /// Open questions about one person at a time, so for a service as many for each of its accounts. One more:
    /// `TooManyPending(limit)`; where everybody's are too many, `NotAvailable(tooManyQuestions)`.
    var openQuestions: Int
    /// Bytes at a time that came in and are not taken up, or wait to be sent. The connection that exceeds it is closed.
    var queuedBytes: Int
    /// Calls a second on the long run; a new connection, and each 16 KiB sent or received, count as one more. One call
    /// too many is answered `NotAvailable(tooManyCalls)`, and its connection is not read until there is room again.
    var callsPerSecond: Int
    /// Calls at once after a quiet time.
    var callBurst: Int
  }

  /// What a user may take.
  ///
  /// An app holds one or two connections and one more for each call that waits: 256 serve a full desktop. Half of them
  /// may wait, so that a user whose apps all wait can still ask, look and withdraw. An ordinary user asks about itself
  /// alone, and nobody answers a hundred questions: more of them hide the one that matters. 8 MiB are four messages of
  /// the greatest length both ways. A burst of 2,000 is an app that looks up a thousand contacts at its start, twice;
  /// who then calls 500 times a second for ever takes, at 25 µs a call, about a hundredth of one processor.
  var perUser = Allowance(
    connections: 256, waiting: 128, openQuestions: 100, queuedBytes: 8 << 20, callsPerSecond: 500, callBurst: 2_000)

  /// What a registered service and its bridge may take, uid 0, an administrator and, in a sandbox, everybody.
  ///
  /// They speak for many: ten thousand callers may wait through one service, and it may import and ask as fast as half
  /// a processor serves. Of open questions each of its accounts has a few apps' worth fewer: it is one app.
  var perService = Allowance(
    connections: 12_288, waiting: 10_240, openQuestions: 32, queuedBytes: 64 << 20, callsPerSecond: 20_000,
    callBurst: 40_000)

  /// What everybody may take together. It protects the machine; no user reaches it alone.
  ///
  /// 16,384 connections are 64 users at their own limit, each one descriptor (`LimitNOFILE=` has room for them) and some
  /// 10 KB of the daemon's and the kernel's memory. Above it the longest idle connection of the user who has the most
  /// makes room; where none is idle, the newest is refused. A million open questions are one or two gigabytes on disk;
  /// they are counted now and then, so some thousand more may come to stand. 128 MiB are what a small machine can
  /// spare: above it the connection that holds the most is closed. 40,000 calls a second are more than one processor
  /// serves, so they are there to be lowered; beyond them only those are refused who have used half of their own burst.
  var total = Allowance(
    connections: 16_384, waiting: 14_336, openQuestions: 1_000_000, queuedBytes: 128 << 20, callsPerSecond: 40_000,
    callBurst: 80_000)

  /// The defaults.
  static let standard = Limits()

  /// The defaults of a sandbox: one user plays every role there and asks as often as it likes, so how often and how much
  /// is asked is not limited unless the file says so.
  static let sandbox = {
    var limits = Limits()
    for allowance in [\Limits.perUser, \.perService, \.total] {
      limits[keyPath: allowance].openQuestions = .max
      limits[keyPath: allowance].callsPerSecond = .max
    }
    return limits
  }()
}

extension Limits {
  /// The part of them that the broker judges.
  var questions: QuestionLimits {
    QuestionLimits(perUser: perUser.openQuestions, perAccount: perService.openQuestions, total: total.openQuestions)
  }
}

// MARK: What is not configured

extension Limits {
  /// Of the connections and the waiting calls of `total`, so many are kept for uid 0 and the administrators (a quarter
  /// where that is less), so that whoever has to set things right always gets in.
  static let reserve = 64

  /// How long a peer may take nothing of what is sent to it, or leave a message unfinished, microseconds. What it has
  /// not taken by then is dropped with its connection.
  static let graceUSec: Int64 = 30_000_000

  /// The same for a connection above a limit, which is there to make one call and be told: so one user, who gets
  /// `refusalBurst` of them and a few a second, never holds all of `refusalsAtOnce`.
  static let refusalGraceUSec: Int64 = 2_000_000
  /// Connections above a limit that live long enough to be told so, at a time; more are closed without a word.
  static let refusalsAtOnce = 64
  /// The same for one user, in a second and at once.
  static let refusalsPerSecond = 4
  /// See `refusalsPerSecond`.
  static let refusalBurst = 8

  /// Calls of one connection that are served before everybody else on the loop gets a turn.
  static let callsPerTurn = 16

  /// Bytes sent or received that count as one call.
  static let bytesPerCall = 16 << 10
}
