// SPDX-License-Identifier: Apache-2.0
//
// Load from inside the machine: a program of one of its users that makes calls of every kind.

import Foundation
import TestSupport

extension Machine {
  /// Starts a program that makes `count` calls, and in the end prints how many were answered.
  func calling(_ count: Int, as user: User) throws -> Program {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("load.py")
    // One for each: what another program still reads must not be written.
    let program = "/opt/load-of-\(user.rawValue).py"
    try container.write(try String(contentsOf: source, encoding: .utf8), to: program)
    return try container.start(["python3", program, "\(count)"], as: user.rawValue)
  }
}
