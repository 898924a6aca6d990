// SPDX-License-Identifier: Apache-2.0
//
// How a terminal hands keys over: one by one and unseen while cards are shown, as before when they are not any more.
// Ctrl-C and Ctrl-Z stay signals. A terminal that never was changed is never restored.

import Glibc

/// The mode of one terminal.
struct TerminalMode {
  private let number: Int32
  private let before: termios

  /// Whether the terminal can only write one line below the other, as far as it says.
  static var isPlain: Bool {
    guard let name = getenv("TERM").map({ String(cString: $0) }) else { return true }
    return name.isEmpty || name == "dumb"
  }

  /// The mode of the terminal behind a descriptor as it is now; `nil` where it is none.
  init?(of number: Int32) {
    var now = termios()
    guard tcgetattr(number, &now) == 0 else { return nil }
    self.number = number
    before = now
  }

  /// Hands keys over one by one, and shows none.
  func enter() {
    var mode = before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(number, TCSANOW, &mode)
  }

  /// Makes the terminal what it was.
  func restore() {
    var mode = before
    tcsetattr(number, TCSANOW, &mode)
  }

  /// Columns and rows of a terminal; 80 and 24 where it does not say.
  static func size(of number: Int32) -> (columns: Int, rows: Int) {
    // A `struct winsize`, whose own name needs a module that is no one's to import.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.rows > 0, size.columns > 0 else { return (80, 24) }
    return (Int(size.columns), Int(size.rows))
  }
}
