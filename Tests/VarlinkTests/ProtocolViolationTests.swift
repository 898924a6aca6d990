// SPDX-License-Identifier: Apache-2.0
//
// What a violation says in the log.

import Testing
import Varlink

@Suite struct ProtocolViolationTests {
  @Test func `what a log line quotes is escaped and cut`() {
    let line = ProtocolViolation.unknownMember("\u{1B}[2J\n'é\u{202E}").description
    #expect(line == #"unknown member '\u{1B}[2J\n\'\u{00E9}\u{202E}' in the header"#)
    let long = ProtocolViolation.notJSON(reason: String(repeating: "x", count: 100_000), position: 3).description
    #expect(long.count < 150)
    #expect(long.hasPrefix("not the JSON we accept at byte 3: 'xxx"))
  }
}
