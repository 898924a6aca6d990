// SPDX-License-Identifier: Apache-2.0
//
// The one error of the test machinery: what was awaited, and what came instead. A test that meets it is broken or has
// found a fault; no test ever catches it.

internal import Glibc

/// Why the machinery could not go on, as a sentence.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// A failed system call, with the kernel's reason.
  init(call: String, errno code: Int32) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}
