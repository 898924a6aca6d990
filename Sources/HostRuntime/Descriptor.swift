// SPDX-License-Identifier: Apache-2.0
//
// The owner of one file descriptor. Whoever needs the descriptor open keeps the object; the last one to let go closes
// it. There is no `close()`: a number that is closed while somebody still holds it is the next connection's number.

internal import Glibc

/// An open file descriptor, closed once, when nobody holds it any more.
package final class Descriptor: Sendable {
  /// The number, valid as long as this object lives.
  package let number: Int32

  /// Takes over an open descriptor, which nobody else may close from now on.
  package init(owning number: Int32) {
    self.number = number
  }

  /// Takes over what a call has opened, or reports why it has opened nothing.
  convenience init(opening result: Int32, _ call: @autoclosure () -> String) throws(SystemError) {
    self.init(owning: try SystemError.check(result, call()))
  }

  deinit {
    close(number)
  }
}
