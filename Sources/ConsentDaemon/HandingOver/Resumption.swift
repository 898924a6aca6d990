// SPDX-License-Identifier: Apache-2.0
//
// How far a call that waits has come: all that the next process needs to know beyond the call itself. It gives no right:
// whose call it is the kernel says, and what the caller may see is judged again where the call goes on.

import ConsentModel

/// Where a call goes on.
enum Resumption: Equatable, Sendable {
  case waiting(Wait)
  case following(Following)
  case watching(Watching)

  /// `Await`, or a `Request` that has asked: parked until a question ends.
  struct Wait: Equatable, Sendable {
    let question: QuestionID
    /// Whether the question was there before the ask.
    let joined: Bool
    /// When the caller's own time is up, boot-time microseconds.
    let untilBootUSec: Int64

    /// The same wait, for the question that the caller waits for now.
    func now(for question: QuestionID?) -> Wait {
      Wait(question: question ?? self.question, joined: joined, untilBootUSec: untilBootUSec)
    }
  }

  /// `Responses`: everything up to a sequence was sent.
  struct Following: Equatable, Sendable {
    let after: Int64
    /// Whether `ready` was sent.
    let isReady: Bool
    /// As whom, in words to compare: sequences are each asker's own.
    let standing: String
  }

  /// `WatchQuestions`: these cards were shown and are not yet known to be over, each as it looked.
  struct Watching: Equatable, Sendable {
    let shown: [QuestionID: String]
    /// Whether `ready` was sent.
    let isReady: Bool
  }
}
