// SPDX-License-Identifier: Apache-2.0
//
// What stands in a file and is checked by somebody else: a topic of a plan is read like one that is asked. The decoder
// of files gives no order of members, so they are put in the order of their names.

import StrictJSON

/// Any value of a file.
struct WrittenJSON: Decodable {
  let json: JSON

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      json = .null
    } else if let truth = try? value.decode(Bool.self) {
      json = .bool(truth)
    } else if let number = try? value.decode(Int64.self) {
      json = .integer(number)
    } else if let text = try? value.decode(String.self) {
      json = .string(text)
    } else if let values = try? value.decode([WrittenJSON].self) {
      json = .array(values.map(\.json))
    } else {
      var object = JSONObject()
      let members = try value.decode([String: WrittenJSON].self)
      for (name, value) in members.sorted(by: { $0.key < $1.key }) { object[name] = value.json }
      json = .object(object)
    }
  }
}
