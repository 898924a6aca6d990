// SPDX-License-Identifier: Apache-2.0
//
// The words behind a command, sorted into operands and options by a table. Options may stand anywhere, as
// `--name value` or `--name=value`; `--` ends them. Nothing is abbreviated and nothing unknown is let pass.

/// An option a command takes.
struct Option: Sendable {
  /// Whether a value follows.
  enum Value: Sendable {
    /// A switch.
    case none
    /// A value is needed; the text is what help calls it.
    case required(String)
    /// A value may follow behind `=`; the text is what help calls it.
    case optional(String)
  }

  let name: String
  let value: Value
  let help: String
  let repeats: Bool

  /// A switch.
  init(_ name: String, _ help: String) { self.init(name, .none, help) }

  /// An option that may stand once, or any number of times where it `repeats`.
  init(_ name: String, _ value: Value, repeats: Bool = false, _ help: String) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.help = help
  }
}

/// The operands and options of one command line.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var given: [(name: String, value: String?)] = []

  /// Sorts `words` by the table `options`. Throws usage failures that name the offending word.
  init(_ words: [String], options: [Option]) throws(CommandFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else {
        operands.append(word)
        continue
      }
      try take(word, from: &rest, options: options)
    }
  }

  /// Whether a switch or option was given.
  func has(_ name: String) -> Bool { given.contains { $0.name == name } }

  /// The value of an option; `nil` where it was not given, or without one.
  func value(_ name: String) -> String? { given.first { $0.name == name }?.value }

  /// All values of an option that repeats, in order.
  func values(_ name: String) -> [String] { given.compactMap { $0.name == name ? $0.value : nil } }

  private mutating func take(
    _ word: String, from rest: inout ArraySlice<String>, options: [Option]
  ) throws(CommandFailure) {
    let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = options.first(where: { $0.name == halves.first }) else {
      throw .usage("there is no option \(TerminalText.line(halves.first ?? word)) here")
    }
    guard option.repeats || !has(option.name) else { throw .usage("\(option.name) stands twice") }
    var value = halves.count > 1 ? halves.last : nil
    switch option.value {
    case .none:
      guard value == nil else { throw .usage("\(option.name) takes no value") }
    case .required(let label):
      value = value ?? rest.popFirst()
      guard value != nil else { throw .usage("\(option.name) needs a value: \(option.name) \(label)") }
    case .optional: break
    }
    given.append((option.name, value))
  }
}
