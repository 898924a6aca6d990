// SPDX-License-Identifier: Apache-2.0
//
// One interface as its IDL text describes it. The text is the law: it is what the service returns when it is asked to
// describe itself, and what every call is checked against. Parsing keeps all comments that document something, because
// a manual can be made from them.

/// A parsed interface.
package struct InterfaceDescription: Sendable {
  /// A named structure or enumeration.
  package struct TypeDeclaration: Sendable, Equatable {
    package let name: String
    package let type: TypeExpression
    package let documentation: String
  }

  /// A method, by its short name.
  package struct MethodDeclaration: Sendable, Equatable {
    package let name: String
    package let input: [Field]
    package let output: [Field]
    package let documentation: String

    /// Whether a line of the documentation reads `[Requires 'more' flag]`, as systemd's interfaces say it: the IDL
    /// itself has no word for it.
    package var requiresMore: Bool { documentation.split(separator: "\n").contains("[Requires 'more' flag]") }
  }

  /// An error, by its short name.
  package struct ErrorDeclaration: Sendable, Equatable {
    package let name: String
    package let fields: [Field]
    package let documentation: String
  }

  /// A field of a structure, a parameter or a result.
  package struct Field: Sendable, Equatable {
    package let name: String
    package let type: TypeExpression
    package let documentation: String
  }

  /// A value of an enumeration.
  package struct Value: Sendable, Equatable {
    package let name: String
    package let documentation: String
  }

  /// What may stand after the colon of a field.
  package indirect enum TypeExpression: Sendable, Equatable {
    case bool, int, float, string
    /// Any JSON object.
    case object
    /// Any JSON value but null.
    case any
    /// A type that is declared in the same interface.
    case named(String)
    case structure([Field])
    case enumeration([Value])
    case array(TypeExpression)
    /// An object whose names are free.
    case map(TypeExpression)
    case nullable(TypeExpression)
  }

  package let name: String
  /// The text this was parsed from.
  package let text: String
  package let documentation: String
  package let types: [TypeDeclaration]
  package let methods: [MethodDeclaration]
  package let errors: [ErrorDeclaration]

  /// Parses the text of one interface.
  package init(parsing text: String) throws(DescriptionError) {
    var parser = DescriptionParser(text)
    try parser.parse()
    self.text = text
    name = parser.name
    documentation = parser.documentation
    types = parser.types
    methods = parser.methods
    errors = parser.errors
  }
}

/// Why a text describes no interface, and where.
package struct DescriptionError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int
  /// Counted from 1, in bytes.
  package let column: Int
  package let reason: String

  package var description: String { "\(line):\(column): \(reason)" }
}
