// SPDX-License-Identifier: Apache-2.0
//
// A setting on the wire.

package import ConsentModel
package import StrictJSON

extension Setting {
  /// One entry of `ListSettings`; `ChangeSetting` gives it as `setting`.
  package var json: JSONObject {
    var json: JSONObject = ["person": .string(person.description)]
    json["app"] = app.map { .string($0.text) }
    json["setting"] = .string(name.description)
    json["value"] = .string(value)
    json["isDefault"] = .bool(isDefault)
    json["setBy"] = setBy.map { .string($0.description) }
    json["setAtUSec"] = setAt.map { .integer($0.usec) }
    json["choices"] = .array(choices.map(JSON.string))
    return json
  }
}
