// SPDX-License-Identifier: Apache-2.0
//
// Topics that tests ask about, each complete and acceptable as it stands. A test that needs a worse one spoils it.

package import StrictJSON

extension JSONObject {
  /// A significant update: `change`, described by `description`.
  package static func update(_ change: String, _ description: String = "Adds voice rooms.") -> JSONObject {
    [
      "kind": "significantUpdate", "change": .string(change), "reasons": ["functionality"],
      "description": .string(description),
    ]
  }

  /// Talking with `handles` by `actions`.
  package static func talk(with handles: [String], by actions: [String] = ["message"]) -> JSONObject {
    let people = handles.map { JSON.object(["handle": .string($0), "kind": "custom"]) }
    return ["kind": "communication", "people": .array(people), "actions": .array(actions.map { .string($0) })]
  }

  /// A resource of the app's own.
  package static func resource(_ name: String = "org.example.screenTime") -> JSONObject {
    ["kind": "resource", "resource": .string(name), "purpose": "Half an hour more."]
  }

  /// Something of the app's own under this name: questions about several of them stand side by side.
  package static func own(_ name: String, _ purpose: String = "Half an hour more.") -> JSONObject {
    resource("org.example.\(name)").with(["purpose": .string(purpose)])
  }
}
