// SPDX-License-Identifier: Apache-2.0
//
// Recursive descent over the grammar of UAPI.20. It refuses what the grammar refuses, a name that stands twice, a type
// that is not declared, and nesting deeper than any interface of ours; it never recurses deeper than that limit.

/// The parser of one text, and what it has found so far.
struct DescriptionParser {
  typealias Description = InterfaceDescription

  private(set) var name = ""
  private(set) var documentation = ""
  private(set) var types: [Description.TypeDeclaration] = []
  private(set) var methods: [Description.MethodDeclaration] = []
  private(set) var errors: [Description.ErrorDeclaration] = []

  /// The deepest nesting of types within types, as sd-varlink has it.
  private static let depthLimit = 64

  private var scanner: DescriptionScanner
  /// The names of types, methods and errors, which share one space.
  private var declared: Set<String> = []
  /// The types that are used, and where.
  private var used: [(name: String, place: Int)] = []

  init(_ text: String) {
    scanner = DescriptionScanner(text)
  }

  /// Parses the whole text.
  mutating func parse() throws(DescriptionError) {
    documentation = try scanner.documentation()
    let place = try scanner.place()
    guard try scanner.take(.fieldName, expected: "'interface'") == "interface" else {
      throw scanner.error("expected 'interface'", at: place)
    }
    name = try scanner.take(.interfaceName)
    while try scanner.peek() != nil { try parseMember() }
    let known = Set(types.map(\.name))
    for type in used where !known.contains(type.name) {
      throw scanner.error("the type '\(type.name)' is not declared", at: type.place)
    }
  }

  // MARK: Members

  private mutating func parseMember() throws(DescriptionError) {
    let documentation = try scanner.documentation()
    let place = try scanner.place()
    let expected = "'type', 'method' or 'error'"
    switch try scanner.take(.fieldName, expected: expected) {
    case "type":
      let name = try newMemberName()
      types.append(.init(name: name, type: try structureOrEnumeration(depth: 1), documentation: documentation))
    case "method":
      let name = try newMemberName()
      let input = try structure()
      try scanner.expect("->")
      methods.append(.init(name: name, input: input, output: try structure(), documentation: documentation))
    case "error":
      let name = try newMemberName()
      errors.append(.init(name: name, fields: try structure(), documentation: documentation))
    default:
      throw scanner.error("expected \(expected)", at: place)
    }
  }

  private mutating func newMemberName() throws(DescriptionError) -> String {
    let place = try scanner.place()
    let name = try scanner.take(.memberName)
    guard declared.insert(name).inserted else { throw scanner.error("'\(name)' is declared twice", at: place) }
    return name
  }

  private mutating func structure() throws(DescriptionError) -> [Description.Field] {
    let place = try scanner.place()
    guard case .structure(let fields) = try structureOrEnumeration(depth: 1) else {
      throw scanner.error("expected fields with types", at: place)
    }
    return fields
  }

  // MARK: Types

  private mutating func type(depth: Int) throws(DescriptionError) -> Description.TypeExpression {
    guard depth <= Self.depthLimit else { throw scanner.error("nested deeper than \(Self.depthLimit)") }
    if try scanner.take("?") {
      guard try scanner.peek() != UInt8(ascii: "?") else { throw scanner.error("'?' twice") }
      return .nullable(try type(depth: depth + 1))
    }
    if try scanner.take("[]") { return .array(try type(depth: depth + 1)) }
    if try scanner.take("[string]") { return .map(try type(depth: depth + 1)) }
    if try scanner.peek() == UInt8(ascii: "(") { return try structureOrEnumeration(depth: depth) }
    return try namedType()
  }

  private mutating func namedType() throws(DescriptionError) -> Description.TypeExpression {
    let place = try scanner.place()
    switch try scanner.take(.fieldName, expected: "a type") {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "any": return .any
    case let name:
      used.append((name, place))
      return .named(name)
    }
  }

  /// `()` is a structure without fields; otherwise a colon after the first name tells a structure from an enumeration.
  private mutating func structureOrEnumeration(depth: Int) throws(DescriptionError) -> Description.TypeExpression {
    try scanner.expect("(")
    if try scanner.take(")") { return .structure([]) }
    var fields: [Description.Field] = []
    var values: [Description.Value] = []
    var names: Set<String> = []
    repeat {
      let documentation = try scanner.documentation()
      let name = try newName(in: &names)
      if values.isEmpty, try scanner.take(":") {
        fields.append(.init(name: name, type: try type(depth: depth + 1), documentation: documentation))
      } else if fields.isEmpty {
        values.append(.init(name: name, documentation: documentation))
      } else {
        throw scanner.error("expected ':'")
      }
    } while try scanner.take(",")
    try scanner.expect(")")
    return fields.isEmpty ? .enumeration(values) : .structure(fields)
  }

  private mutating func newName(in names: inout Set<String>) throws(DescriptionError) -> String {
    let place = try scanner.place()
    let name = try scanner.take(.fieldName)
    guard names.insert(name).inserted else { throw scanner.error("'\(name)' stands twice", at: place) }
    return name
  }
}
