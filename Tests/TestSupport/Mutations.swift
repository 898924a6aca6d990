// SPDX-License-Identifier: Apache-2.0
//
// Damage done to valid messages, the same on every run: all prefixes, all single flipped bits, and heavier damage drawn
// from a seed. Used in process, and against live sockets.

/// Every way to cut a message short or to flip one of its bits.
package enum Mutations {
  /// Every prefix of `message`, the empty one first, the message itself last.
  package static func prefixes(of message: [UInt8]) -> some Sequence<[UInt8]> {
    (0...message.count).lazy.map { Array(message.prefix($0)) }
  }

  /// `message` with one bit flipped: eight for every byte.
  package static func bitFlips(of message: [UInt8]) -> some Sequence<[UInt8]> {
    (0..<message.count * 8).lazy.map { bit in
      var flipped = message
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      return flipped
    }
  }
}

/// An endless sequence of damaged messages, the same for the same corpus and seed.
package struct SeededMutations: Sequence, IteratorProtocol {
  private let corpus: [[UInt8]]
  private var random: SeededGenerator

  /// The most places of one message that are damaged.
  private static let damageLimit = 8

  package init(of corpus: [[UInt8]], seed: UInt64) {
    self.corpus = corpus
    random = SeededGenerator(seed: seed)
  }

  package mutating func next() -> [UInt8]? {
    guard var message = corpus.randomElement(using: &random) else { return nil }
    for _ in 0..<Int.random(in: 1...Self.damageLimit, using: &random) { damage(&message) }
    return message
  }

  private mutating func damage(_ message: inout [UInt8]) {
    let place = Int.random(in: 0...message.count, using: &random)
    let length = Swift.min(Int.random(in: 1...16, using: &random), message.count - place)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: message.insert(.random(in: 0...255, using: &random), at: place)
    case 1: message.insert(contentsOf: message[place..<place + length], at: place)
    case 2: message.removeSubrange(place..<place + length)
    case 3: message.replaceSubrange(place..<place + length, with: foreign(length))
    case 4 where length > 0: message[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default: message.removeSubrange(place...)
    }
  }

  /// At most `length` bytes of some message of the corpus.
  private mutating func foreign(_ length: Int) -> ArraySlice<UInt8> {
    guard let other = corpus.randomElement(using: &random) else { return [] }
    return other.dropFirst(Int.random(in: 0...other.count, using: &random)).prefix(length)
  }
}
