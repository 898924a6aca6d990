// SPDX-License-Identifier: Apache-2.0
//
// Many callers at once, each a connection of its own, from programs that run inside the machine as its users.

import Foundation
import TestSupport

extension Machine {
  /// Starts a program whose `count` connections wait for `question`, and returns when the daemon counts them all.
  func waiting(_ count: Int, for question: String, as user: User) throws -> Program {
    let program = try calling(["wait", "\(count)", question], as: user)
    let deadline = Deadline()
    while try !consentctl("status", "--json").contains("\"waiters\":\(count)") {
      guard !deadline.hasPassed else { throw TestFailure("not all of them wait: \(program.errors)") }
    }
    return program
  }

  /// Starts a program that makes `count` calls of every kind, and in the end prints how many were answered.
  func calling(_ count: Int, as user: User) throws -> Program { try calling(["call", "\(count)"], as: user) }

  private func calling(_ arguments: [String], as user: User) throws -> Program {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("callers.py")
    try container.write(try String(contentsOf: source, encoding: .utf8), to: "/opt/callers.py")
    return try container.start(["python3", "/opt/callers.py"] + arguments, as: user.rawValue)
  }
}
