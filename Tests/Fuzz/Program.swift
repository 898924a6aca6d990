// SPDX-License-Identifier: Apache-2.0
//
// Damages every message of a corpus in every small way and feeds it to the sessions and to the parser of interfaces, in
// one process, so that a sanitizer sees a wrong access where it happens. A trap ends the program; so does a message that
// means something else when it arrives byte by byte. It reads nothing and opens nothing.

import Glibc
import TestSupport

@main
struct Program {
  static func main() {
    do {
      var trial = try Trial()
      try trial.run()
      print("\(trial.count) mutations fed, none trapped and none depended on how it was cut")
    } catch {
      print("varlink-mutations: \(error)")
      exit(1)
    }
  }
}

/// What a mutation brought to light.
struct Finding: Error, CustomStringConvertible {
  let what: String
  let message: [UInt8]

  var description: String { "\(what): \(String(decoding: message, as: UTF8.self).debugDescription)" }
}

/// One pass over the corpus.
struct Trial {
  private let server: ServerTrial
  private(set) var count = 0

  /// The seed and number of the mutations that damage several places at once.
  private static let seed: UInt64 = 20
  private static let seededCount = 10_000

  init() throws {
    server = try ServerTrial()
  }

  /// Feeds every mutation to what its kind is for.
  mutating func run() throws {
    try each(Corpus.calls, server.feed)
    try each(Corpus.replies, ClientTrial.feed)
    try each(Corpus.descriptions, DescriptionTrial.feed)
  }

  private mutating func each(_ corpus: [String], _ feed: ([UInt8]) throws -> Void) throws {
    let messages = corpus.map { Array($0.utf8) }
    for message in messages {
      for mutation in Mutations.prefixes(of: message) { try count(mutation, feed) }
      for mutation in Mutations.bitFlips(of: message) { try count(mutation, feed) }
    }
    for mutation in SeededMutations(of: messages, seed: Self.seed).prefix(Self.seededCount) {
      try count(mutation, feed)
    }
  }

  private mutating func count(_ mutation: [UInt8], _ feed: ([UInt8]) throws -> Void) throws {
    try feed(mutation)
    count += 1
  }
}
