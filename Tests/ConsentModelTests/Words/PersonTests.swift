// SPDX-License-Identifier: Apache-2.0
//
// The forms of persons and guardians: what is read, what is refused, and that what is read is written the same.

import Testing

@testable import ConsentModel

@Suite struct PersonTests {
  @Test(arguments: [
    "uid:0", "uid:1001", "uid:4294967294", "account:org.example.Chat/7f3a", "account:a.b/.",
    "account:org.example/\(String(repeating: "x", count: 128))",
  ])
  func `a person is written as it was read`(text: String) throws {
    #expect(try Person(parsing: text).description == text)
  }

  @Test(arguments: [
    "", "uid", "uid:", "uid:-1", "uid:+1", "uid:01", "uid:00", "uid: 1", "uid:1 ", "uid:4294967295", "uid:4294967296",
    "uid:99999999999999999999", "uid:1\u{301}", "uid:\u{661}", "UID:1", "user:1", "1001", "account:",
    "account:org.example",
    "account:org.example/", "account:/x", "account:org/x", "account:org.example/a/b", "account:org.example/a b",
    "account:org.example/\u{212A}", "account:org..example/x",
    "account:org.example/\(String(repeating: "x", count: 129))",
    "contact:org.example/x",
  ])
  func `another form is refused with the field's name and the right form`(text: String) {
    let error = #expect(throws: ValueError.self) { try Person(parsing: text) }
    #expect(error == ValueError(field: "person", rule: Person.rule))
  }

  @Test func `the caller names the field`() {
    let error = #expect(throws: ValueError.self) { try Person(parsing: "x", field: "from") }
    #expect(error?.field == "from")
  }

  @Test func `an account is no uid of the same digits`() throws {
    #expect(try Person(parsing: "uid:7") != Person(parsing: "account:org.example/7"))
    #expect(try Person(parsing: "account:org.example/7") != Person(parsing: "account:org.Example/7"))
  }
}

@Suite struct GuardianTests {
  @Test(arguments: ["uid:1000", "contact:org.example.Chat/9c41"])
  func `a guardian is written as it was read`(text: String) throws {
    #expect(try Guardian(parsing: text).description == text)
  }

  @Test(arguments: ["account:org.example/x", "contact:org.example", "uid:4294967295", "", "contact:x/y"])
  func `another form is refused`(text: String) {
    let error = #expect(throws: ValueError.self) { try Guardian(parsing: text) }
    #expect(error == ValueError(field: "guardian", rule: Guardian.rule))
  }
}

@Suite struct AppIDTests {
  @Test(arguments: ["org.example", "org.example.Chat", "a.b", "-.-", "1.2", "a.\(String(repeating: "b", count: 253))"])
  func `a reverse-domain name is an app id`(text: String) throws {
    #expect(try AppID(parsing: text).text == text)
  }

  @Test(arguments: [
    "", "org", ".", "org.", ".org", "org..example", "org.ex ample", "org.ex_ample", "org/example", "org.\u{212A}",
    "org.e\u{301}", "org.example\n", "a.\(String(repeating: "b", count: 254))",
  ])
  func `anything else is refused`(text: String) {
    let error = #expect(throws: ValueError.self) { try AppID(parsing: text) }
    #expect(error == ValueError(field: "app", rule: AppID.rule))
  }
}
