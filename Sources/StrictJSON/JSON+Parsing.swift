// SPDX-License-Identifier: Apache-2.0
//
// Bytes to values. Jansson does the parsing; this file refuses the two things jansson lets pass (a top-level array,
// nesting deeper than any message of ours) and copies its tree into a Swift value.

internal import CJansson

/// Why bytes are no JSON we accept, and how far into them the trouble is (bytes from the start).
package struct JSONError: Error, Equatable {
  package let reason: String
  package let position: Int
}

extension JSONObject {
  /// The deepest nesting of objects and arrays that is accepted, the outermost object counted.
  package static let depthLimit = 64

  /// Parses one JSON object that fills `bytes` (surrounding white space allowed).
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      try JSONObject(parsing: UnsafeRawBufferPointer(buffer))
    }
  }

  /// Parses one JSON object that fills `bytes` (surrounding white space allowed).
  package init(parsing bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var failure = json_error_t()
    let characters = bytes.assumingMemoryBound(to: CChar.self)
    guard let root = json_loadb(characters.baseAddress, characters.count, size_t(JSON_REJECT_DUPLICATES), &failure)
    else {
      throw JSONError(reason: failure.message, position: Int(failure.position))
    }
    defer { json_decref(root) }
    guard root.pointee.type == JSON_OBJECT else {
      throw JSONError(reason: "the top level is not an object", position: 0)
    }
    self = try JSONObject(copying: root, depth: 1)
  }

  fileprivate init(copying root: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONError) {
    guard depth <= JSONObject.depthLimit else {
      throw JSONError(reason: "nested deeper than \(JSONObject.depthLimit)", position: 0)
    }
    self.init(capacity: json_object_size(root))
    var place = json_object_iter(root)
    while let here = place {
      if let key = json_object_iter_key(here), let value = json_object_iter_value(here) {
        append(name: String(cString: key), value: try JSON(copying: value, depth: depth))
      }
      place = json_object_iter_next(root, here)
    }
  }
}

extension JSON {
  fileprivate init(copying node: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONError) {
    switch node.pointee.type {
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    case JSON_INTEGER: self = .integer(json_integer_value(node))
    case JSON_REAL: self = .real(json_real_value(node))
    case JSON_STRING: self = .string(JSON.text(of: node))
    case JSON_ARRAY: self = .array(try JSON.elements(of: node, depth: depth + 1))
    case JSON_OBJECT: self = .object(try JSONObject(copying: node, depth: depth + 1))
    default: self = .null
    }
  }

  private static func text(of node: UnsafeMutablePointer<json_t>) -> String {
    let bytes = UnsafeBufferPointer(start: json_string_value(node), count: json_string_length(node))
    return String(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self)
  }

  private static func elements(of node: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONError) -> [JSON] {
    guard depth <= JSONObject.depthLimit else {
      throw JSONError(reason: "nested deeper than \(JSONObject.depthLimit)", position: 0)
    }
    var elements: [JSON] = []
    elements.reserveCapacity(json_array_size(node))
    for index in 0..<json_array_size(node) {
      if let element = json_array_get(node, index) { elements.append(try JSON(copying: element, depth: depth)) }
    }
    return elements
  }
}

extension json_error_t {
  fileprivate var message: String {
    withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
