// SPDX-License-Identifier: Apache-2.0
//
// What somebody strikes on a terminal, and what the keys of a card mean. Bytes that make no key are no key: nothing
// that a terminal sends by itself is taken for an answer.

import ConsentKit

/// One key.
enum WatchKey: Equatable, Sendable {
  case character(Character)
  case enter
  case escape
  case erase
  /// Tab, or an arrow down or to the right.
  case next
  /// An arrow up or to the left.
  case previous
  /// The end of the input, or Ctrl-C where it comes as a byte.
  case interrupt

  /// The keys in bytes read from a terminal at once. A sequence that is cut off is dropped.
  static func keys(in bytes: some Sequence<UInt8>) -> [WatchKey] {
    var keys: [WatchKey] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B: keys += escape(&rest)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.erase)
      case 0x09: keys.append(.next)
      case 0x03, 0x04: keys.append(.interrupt)
      case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
      default: break
      }
    }
    return keys
  }

  /// A control sequence; an Escape alone where none follows.
  private static func escape(_ rest: inout ArraySlice<UInt8>) -> [WatchKey] {
    guard let second = rest.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return [.escape] }
    rest.removeFirst()
    let end = rest.firstIndex { (0x40...0x7E).contains($0) }
    let final = end.map { rest[$0] }
    rest = end.map { rest[($0 + 1)...] } ?? []
    switch final {
    case UInt8(ascii: "B"), UInt8(ascii: "C"): return [.next]
    case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "Z"): return [.previous]
    default: return []
    }
  }

  /// The keys of a line typed where keys cannot be read alone: nothing is Enter, a letter or a word is its key. While
  /// something is `typed`, the line is that and its end. `nil`: no key is called that.
  static func keys(inLine line: String, typing: Bool) -> [WatchKey]? {
    if typing { return line.map(WatchKey.character) + [.enter] }
    let word = line.lowercased().filter { $0 != " " }
    if word.isEmpty { return [.enter] }
    if word.count == 1 { return [.character(Character(word))] }
    return words[word].map { [.character($0)] }
  }

  private static let words: [String: Character] = [
    "approve": "a", "deny": "d", "once": "o", "until": "u", "never": "x", "skip": "s", "next": "s", "quit": "q",
    "yes": "y", "no": "n",
  ]
}

/// What a key says to a card.
enum WatchAnswer: Equatable, Sendable, CaseIterable {
  case approve
  case deny
  case once
  case until
  /// Denies, and lets the app ask no more.
  case never

  /// The key of an answer.
  var key: Character {
    switch self {
    case .approve: "a"
    case .deny: "d"
    case .once: "o"
    case .until: "u"
    case .never: "x"
    }
  }

  /// What goes to the daemon.
  var choice: String {
    switch self {
    case .approve: "approve"
    case .deny, .never: "deny"
    case .once: "approveOnce"
    case .until: "approveUntil"
    }
  }

  /// The answer behind a key.
  init?(key: Character) {
    guard let answer = WatchAnswer.allCases.first(where: { $0.key == key }) else { return nil }
    self = answer
  }

  /// The answers a card takes from whoever sees it. `never` needs an app that can be told apart.
  static func offered(by card: Card) -> [WatchAnswer] {
    guard card.canAnswer else { return [] }
    let choices = Set(card.choices.map(\.choice))
    return allCases.filter { choices.contains($0.choice) && ($0 != .never || card.app != nil) }
  }
}
