// SPDX-License-Identifier: Apache-2.0
//
// Texts that are no interface, each with the place and the words of its refusal.

import Testing
import Varlink

@Suite struct DescriptionErrorTests {
  @Test(arguments: [
    ("", "1:1: expected 'interface'"), ("# only a comment", "1:17: expected 'interface'"),
    ("type T (a: int)", "1:1: expected 'interface'"), ("Interface a.b", "1:1: expected 'interface'"),
    ("interface", "1:10: expected the name of an interface"),
    ("interface a", "1:11: expected the name of an interface"),
    ("interface a.", "1:11: expected the name of an interface"),
    ("interface .a", "1:11: expected the name of an interface"),
    ("interface 1.a", "1:11: expected the name of an interface"),
    ("interface a..b", "1:11: expected the name of an interface"),
    ("interface a-.b", "1:11: expected the name of an interface"),
    ("interface a.-b", "1:11: expected the name of an interface"),
    ("interface a.b_c", "1:14: expected 'type', 'method' or 'error'"),
    ("interface ä.b", "1:11: expected the name of an interface"),
  ])
  func `a text that begins as no interface is refused`(text: String, error: String) {
    expectError(text, error)
  }

  @Test(arguments: [
    ("typ T ()", "2:1: expected 'type', 'method' or 'error'"), ("42", "2:1: expected 'type', 'method' or 'error'"),
    ("interface c.d", "2:1: expected 'type', 'method' or 'error'"),
    ("type t (a: int)", "2:6: expected a name that begins with a capital"),
    ("type T_U (a: int)", "2:6: expected a name that begins with a capital"), ("type T", "2:7: expected '('"),
    ("type T int", "2:8: expected '('"), ("type T [](a: int)", "2:8: expected '('"),
    ("type T ?(a: int)", "2:8: expected '('"),
    ("type T (a: int", "2:15: expected ')'"), ("type T (a: int))", "2:16: expected 'type', 'method' or 'error'"),
    ("method M", "2:9: expected '('"), ("method M()", "2:11: expected '->'"),
    ("method M() - > ()", "2:12: expected '->'"),
    ("method M() -> int", "2:15: expected '('"), ("method M(a, b) -> ()", "2:9: expected fields with types"),
    ("method M() -> (a)", "2:15: expected fields with types"), ("error E", "2:8: expected '('"),
    ("error E (a, b)", "2:9: expected fields with types"), ("type T ()\ntype T ()", "3:6: 'T' is declared twice"),
    ("type T ()\nmethod T() -> ()", "3:8: 'T' is declared twice"),
    ("error T ()\n\n  method T() -> ()", "4:10: 'T' is declared twice"),
  ])
  func `a member that is none is refused`(member: String, error: String) {
    expectError("interface a.b\n\(member)", error)
  }

  @Test(arguments: [
    ("a: int,", "2:16: expected a name"), ("a: int,, b: int", "2:16: expected a name"),
    (",a: int", "2:9: expected a name"),
    ("a: int b: int", "2:16: expected ')'"), ("a int", "2:11: expected ')'"), ("a: int, b", "2:18: expected ':'"),
    ("a, b: int", "2:13: expected ')'"), ("a:", "2:11: expected a type"),
    ("a: Int", "2:12: the type 'Int' is not declared"),
    ("a: integer", "2:12: the type 'integer' is not declared"), ("a: ??int", "2:13: '?' twice"),
    ("a: ? ?int", "2:14: '?' twice"), ("a: []", "2:14: expected a type"), ("a: [int]int", "2:12: expected a type"),
    ("a: [ ]int", "2:12: expected a type"), ("a: []Undeclared", "2:14: the type 'Undeclared' is not declared"),
    ("a: int, a: int", "2:17: 'a' stands twice"), ("a, b, a", "2:15: 'a' stands twice"),
    ("a: (x: int, x: int)", "2:21: 'x' stands twice"), ("a__b: int", "2:9: expected a name"),
    ("a_: int", "2:9: expected a name"),
    ("_a: int", "2:9: expected a name"), ("1a: int", "2:9: expected a name"), ("a-b: int", "2:10: expected ')'"),
    ("one-two, three", "2:12: expected ')'"), ("é: int", "2:9: expected a name"),
    ("a: \u{212A}", "2:12: expected a type"),
  ])
  func `a field that is none is refused`(fields: String, error: String) {
    expectError("interface a.b\ntype T (\(fields))", error)
  }

  @Test func `a control character in a comment is refused`() {
    expectError("interface a.b\n# one\u{0}two", "2:6: control character in a comment")
    expectError("interface a.b\n# \u{1B}[2J", "2:3: control character in a comment")
  }

  @Test func `sixty-four levels of types are accepted, one more is refused`() throws {
    func nested(_ open: String, _ close: String, _ levels: Int) -> String {
      let opened = String(repeating: open, count: levels - 2)
      return "interface a.b\ntype T (a: \(opened)int\(String(repeating: close, count: levels - 2)))"
    }
    for (open, close) in [("[]", ""), ("[string]", ""), ("(a: ", ")"), ("?[]", "")] {
      let levels = open == "?[]" ? 33 : 64
      #expect(throws: Never.self) { try InterfaceDescription(parsing: nested(open, close, levels)) }
      let error = #expect(throws: DescriptionError.self) {
        try InterfaceDescription(parsing: nested(open, close, levels + 1))
      }
      #expect(error?.reason == "nested deeper than 64")
    }
  }

  @Test(arguments: ["[]", "[string]", "(a: ", "?[]", "("])
  func `a text of endless nesting is refused without exhausting the stack`(open: String) {
    #expect(throws: DescriptionError.self) {
      try InterfaceDescription(parsing: "interface a.b\ntype T (a: " + String(repeating: open, count: 100_000))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a hundred thousand fields are read in linear time`() throws {
    let fields = (0..<100_000).map { "f\($0): T" }.joined(separator: ",\n")
    #expect(try InterfaceDescription(parsing: "interface a.b\ntype T (\(fields))").types.count == 1)
  }

  private func expectError(_ text: String, _ expected: String, at location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: DescriptionError.self, sourceLocation: location) {
      try InterfaceDescription(parsing: text)
    }
    #expect(error?.description == expected, sourceLocation: location)
  }
}
