// SPDX-License-Identifier: Apache-2.0
//
// The two streams a command writes. Answers go to standard output, each line at once, so that a pipe sees it when it
// happens; remarks about the conversation go to standard error. A reader that has left ends the program quietly, and
// never with the exit status of a yes.

import Glibc
import StrictJSON

/// How replies are printed for programs.
enum JSONStyle: String, Sendable {
  case short
  case pretty
}

/// Standard output and standard error.
struct Output: Sendable {
  /// Set where replies are printed as JSON.
  let json: JSONStyle?
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Whether standard output may be coloured.
  let isColoured: Bool

  /// Looks at the process's own streams and environment.
  init(json: JSONStyle?) {
    self.json = json
    isTerminal = isatty(STDOUT_FILENO) == 1
    isColoured = isTerminal && (getenv("NO_COLOR").map { $0[0] == 0 } ?? true)
  }

  /// Standard output as it would be for a reader that is no terminal.
  static let plain = Output(isTerminal: false, isColoured: false)

  private init(isTerminal: Bool, isColoured: Bool) {
    json = nil
    self.isTerminal = isTerminal
    self.isColoured = isColoured
  }

  /// Writes one line of an answer.
  func line(_ text: String) throws(CommandFailure) {
    try write(text + "\n", to: STDOUT_FILENO)
  }

  /// Writes several lines of an answer at once.
  func lines(_ lines: [String]) throws(CommandFailure) {
    guard !lines.isEmpty else { return }
    try line(lines.joined(separator: "\n"))
  }

  /// Writes an object for programs: one line each, unless it shall be pretty.
  func object(_ object: JSONObject) throws(CommandFailure) {
    let text = json == .pretty ? PrettyJSON.text(object) : String(decoding: object.encoded(), as: UTF8.self)
    try line(TerminalText.json(text))
  }

  /// Writes a reply: the object for programs, else the lines for people.
  func reply(_ reply: JSONObject, _ text: () -> [String]) throws(CommandFailure) {
    if json == nil { try lines(text()) } else { try object(reply) }
  }

  /// Writes text as it is: what moves the cursor, and lines that are made harmless already.
  func raw(_ text: String) throws(CommandFailure) {
    try write(text, to: STDOUT_FILENO)
  }

  /// Asks something on standard error and leaves the cursor behind it.
  func prompt(_ text: String) {
    try? write("\(text) ", to: STDERR_FILENO)
  }

  /// Writes a remark, one line, to standard error. Nobody may be listening.
  func remark(_ text: String) {
    try? write("consentctl: \(text)\n", to: STDERR_FILENO)
  }

  /// `text` in a style, where standard output may be coloured.
  func styled(_ text: String, _ style: Style) -> String {
    isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// How a text may stand out.
  enum Style: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  private func write(_ text: String, to descriptor: Int32) throws(CommandFailure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        throw CommandFailure(exit: .failure, message: errno == EPIPE ? nil : "cannot write to standard output")
      }
    }
  }
}
