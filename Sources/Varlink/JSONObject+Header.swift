// SPDX-License-Identifier: Apache-2.0
//
// What the headers of calls and replies have in common. A member that is not known is refused, unless its name has a
// dot: then it is a vendor's, must be an object, and is ignored (UAPI.20, "Vendor Extensions").

internal import StrictJSON

extension JSONObject {
  /// Parses one message, without its NUL, and refuses members other than `known` and those of vendors.
  init(header message: UnsafeRawBufferPointer, known: [String]) throws(ProtocolViolation) {
    do throws(JSONError) {
      try self.init(parsing: message)
    } catch {
      throw .notJSON(reason: error.reason, position: error.position)
    }
    for member in members where !known.contains(where: { $0.hasSameBytes(as: member.name) }) {
      guard member.name.utf8.contains(UInt8(ascii: ".")) else { throw .unknownMember(member.name) }
      guard member.value.object != nil else { throw .vendorMemberNotObject(member.name) }
    }
  }

  /// `parameters`: absent, null and `{}` are the same.
  func parameters() throws(ProtocolViolation) -> JSONObject {
    switch self["parameters"] {
    case nil, .null?: [:]
    case .object(let parameters)?: parameters
    default: throw .parametersNotObject
    }
  }

  /// A flag: absent is false, and null is not a boolean.
  func flag(_ name: String) throws(ProtocolViolation) -> Bool {
    guard let value = self[name] else { return false }
    guard let flag = value.bool else { throw .flagNotBoolean(name) }
    return flag
  }
}
