// SPDX-License-Identifier: Apache-2.0
//
// The one error of this target: a call into the system failed. It carries what a person needs to understand it (the
// call and the errno) and no advice: the caller knows what the failure means for its own work.

internal import Glibc

/// A call into the system that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The call as its manual page is named, with the path it was made on where there is one.
  package let call: String
  /// The errno, positive.
  package let errno: Int32

  package init(call: String, errno: Int32) {
    self.call = call
    self.errno = errno
  }

  /// The call and the system's sentence for its errno.
  package var description: String { "\(call): \(String(cString: strerror(errno)))" }

  /// The failure the calling thread's `errno` speaks of; to be asked for directly after it.
  static func last(_ call: @autoclosure () -> String) -> SystemError {
    let number = Glibc.errno
    return SystemError(call: call(), errno: number)
  }

  /// Passes on the result of a call that fails with -1 and `errno`.
  @discardableResult
  static func check(_ result: Int32, _ call: @autoclosure () -> String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw last(call()) }
    return result
  }

  /// Passes on the result of a libsystemd call, which fails with a negative errno.
  @discardableResult
  static func checkNegative(_ result: Int32, _ call: String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(call: call, errno: -result) }
    return result
  }
}
