// SPDX-License-Identifier: Apache-2.0
//
// What the parser finds in an interface.

import Testing
import Varlink

/// The words of an interface for a type that was read from it.
private func words(_ type: InterfaceDescription.TypeExpression) -> String {
  switch type {
  case .bool: "bool"
  case .int: "int"
  case .float: "float"
  case .string: "string"
  case .object: "object"
  case .any: "any"
  case .named(let name): name
  case .structure(let fields): words(fields)
  case .enumeration(let values): "(\(values.map(\.name).joined(separator: ", ")))"
  case .array(let type): "[]\(words(type))"
  case .map(let type): "[string]\(words(type))"
  case .nullable(let type): "?\(words(type))"
  }
}

private func words(_ fields: [InterfaceDescription.Field]) -> String {
  "(\(fields.map { "\($0.name): \(words($0.type))" }.joined(separator: ", ")))"
}

@Suite struct InterfaceDescriptionTests {
  @Test(arguments: [
    "bool", "int", "float", "string", "object", "any", "T", "()", "(x, y)", "(x)", "(x: int, y: ?T)", "[]int",
    "[string]int", "?string", "?[]string", "?[string]bool", "[string]()", "?(x: int)", "?(x, y)", "[][]int", "[]?int",
    "[string][]int", "?[]?[string](x, y)", "(a: (b: (c: int)))", "(snake_case: int, UpperCase: int, a1: int)",
    "(type: int, method: int, error: int, interface: int, int: int)",
  ])
  func `every type of the language is read`(type: String) throws {
    let description = try InterfaceDescription(parsing: "interface a.b\ntype T (field: \(type))\n")
    #expect(description.types.map { words($0.type) } == ["(field: \(type))"])
  }

  @Test func `members keep their order and their parts`() throws {
    let description = try InterfaceDescription(
      parsing: """
        interface org.example.a-1.2b
        method One() -> ()
        error Two (x: int)
        type Three (x, y)
        method Four(a: Three, type: int, method: int, error: int)->(b: ?Three)
        error Five()
        """)
    #expect(description.name == "org.example.a-1.2b")
    #expect(description.methods.map(\.name) == ["One", "Four"])
    #expect(description.methods.map { words($0.input) } == ["()", "(a: Three, type: int, method: int, error: int)"])
    #expect(description.methods.map { words($0.output) } == ["()", "(b: ?Three)"])
    #expect(description.errors.map(\.name) == ["Two", "Five"])
    #expect(description.errors.map { words($0.fields) } == ["(x: int)", "()"])
    #expect(description.types.map(\.name) == ["Three"])
    #expect(description.types.map { words($0.type) } == ["(x, y)"])
  }

  @Test func `an interface may be empty, and white space is free`() throws {
    #expect(try InterfaceDescription(parsing: "interface a.b").methods.isEmpty)
    #expect(try InterfaceDescription(parsing: "\r\n\t interface\t a.b \r\n\r\ntype T(a:int)\r\n").types.count == 1)
    #expect(try InterfaceDescription(parsing: "interface a.b method A(\n)\n->\n(\n)").methods.count == 1)
  }

  @Test func `the text is kept as it was`() throws {
    #expect(try InterfaceDescription(parsing: "# Ü\ninterface a.b\n").text == "# Ü\ninterface a.b\n")
  }

  @Test func `the interface of the certification is read`() throws {
    let text = """
      # Interface to test varlink implementations against.
      interface org.varlink.certification
      type Interface (foo: ?[]?[string](foo, bar, baz), anon: (foo: bool, bar: bool))
      type MyType (
        object: object, enum: (one, two, three), struct: (first: int, second: string), array: []string,
        dictionary: [string]string, stringset: [string](), nullable: ?string,
        nullable_array_struct: ?[](first: int, second: string), interface: Interface
      )
      method Test06(client_id: string, bool: bool, int: int, float: float, string: string) -> (
        struct: (bool: bool, int: int, float: float, string: string)
      )
      method Test08(client_id: string, map: [string]string) -> (set: [string]())
      # returns more than one reply with "continues"
      method Test10(client_id: string, mytype: MyType) -> (string: string)
      error ClientIdError ()
      error CertificationError (wants: object, got: object)
      """
    let description = try InterfaceDescription(parsing: text)
    #expect(description.methods.map(\.name) == ["Test06", "Test08", "Test10"])
    #expect(description.types.map(\.name) == ["Interface", "MyType"])
  }
}

@Suite struct DescriptionDocumentationTests {
  private static let documented = """
    # SPDX-License-Identifier: X

    # The interface,
    #   in two lines.
    interface a.b
    # not of the next line

    #No space.
    #
    # After an empty line.
    type T ( # about nothing
      # The first field
      first: int, # about nothing
      # The second field
      second: (
        # One
        one,
        two
      )
    )

    # [Requires 'more' flag]
    method A(
      # In
      a: int
      # about nothing
    ) # about nothing
    # about nothing
    -> (b: int)
    method B() -> ()

    # Wrong.
    error E ()
    """

  @Test func `comments directly before something document it`() throws {
    let description = try InterfaceDescription(parsing: Self.documented)
    #expect(description.documentation == "The interface,\n  in two lines.")
    let type = try #require(description.types.first)
    #expect(type.documentation == "No space.\n\nAfter an empty line.")
    guard case .structure(let fields) = type.type, case .enumeration(let values)? = fields.last?.type else {
      return #expect(Bool(false), "\(type)")
    }
    #expect(fields.map(\.documentation) == ["The first field", "The second field"])
    #expect(values.map(\.documentation) == ["One", ""])
    #expect(description.methods.map(\.documentation) == ["[Requires 'more' flag]", ""])
    #expect(description.methods.first?.input.map(\.documentation) == ["In"])
    #expect(description.methods.first?.output.map(\.documentation) == [""])
    #expect(description.errors.map(\.documentation) == ["Wrong."])
  }

  @Test func `a line of the documentation says that a method requires more`() throws {
    func requiresMore(_ comment: String) throws -> Bool? {
      try InterfaceDescription(parsing: "interface a.b\n\(comment)\nmethod A() -> ()\n").methods.first?.requiresMore
    }
    #expect(try requiresMore("# Watches.\n# [Requires 'more' flag]") == true)
    #expect(try requiresMore("# [Requires 'more' flag]\r") == true)
    #expect(try requiresMore("# [Supports 'more' flag]") == false)
    #expect(try requiresMore("# See [Requires 'more' flag]") == false)
    #expect(try requiresMore("# [Requires 'more' flag]\n") == false)
    #expect(try requiresMore("") == false)
  }
}
