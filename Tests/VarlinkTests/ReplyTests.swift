// SPDX-License-Identifier: Apache-2.0
//
// What we put on the wire as a reply: nothing that says nothing, and nothing that makes a peer close.

import StrictJSON
import Testing
import Varlink

@Suite struct ReplyTests {
  @Test(arguments: [
    (Reply(), "{}␀"), (Reply(["a": 1]), #"{"parameters":{"a":1}}␀"#), (Reply(continues: true), #"{"continues":true}␀"#),
    (Reply(["a": []], continues: true), #"{"parameters":{"a":[]},"continues":true}␀"#),
    (Reply(error: "a.b.E"), #"{"error":"a.b.E"}␀"#),
    (Reply(error: "a.b.E", ["x": "y"]), #"{"error":"a.b.E","parameters":{"x":"y"}}␀"#),
  ])
  func `empty parameters and false flags are left out`(reply: Reply, expected: String) {
    #expect(reply.encoded() == wire(expected))
  }

  @Test func `an error never continues`() {
    var reply = Reply(error: "a.b.E")
    reply.continues = true
    #expect(reply.encoded() == wire(#"{"error":"a.b.E"}␀"#))
  }

  @Test func `a reply is one NUL long after its JSON, whatever it says`() {
    let bytes = Reply(["text": "a\u{0}b\n\u{7F}😀"]).encoded()
    #expect(bytes.filter { $0 == 0 }.count == 1)
    #expect(bytes.last == 0)
    #expect(!bytes.contains(0x0A))
  }
}
