// SPDX-License-Identifier: Apache-2.0
//
// The calls of org.consentd.Administration, read from their parameters.

package import ConsentModel
package import StrictJSON

/// `AddPerson`, `RemovePerson`, `Export` and `Erase`.
package struct PersonCall: Sendable {
  package let person: Person
  package let displayName: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.requiredPerson()
    displayName = try parameters.displayName()
  }
}

/// `AddGuardian` and `RemoveGuardian`.
package struct GuardianCall: Sendable {
  package let person: Person
  package let guardian: Guardian
  package let displayName: String?

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.requiredPerson()
    let text = parameters.text("guardian")
    guardian = try Refusal.value { () throws(ValueError) in try Guardian(parsing: text) }
    displayName = try parameters.displayName()
  }
}

/// `DescribeApp`.
package struct DescribeAppCall: Sendable {
  package let app: AppID

  package init(_ parameters: JSONObject) throws(Refusal) {
    app = try parameters.requiredApp()
  }
}

/// `MovePerson`.
package struct MovePersonCall: Sendable {
  package let person: Person
  package let other: Person

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.requiredPerson("from")
    other = try parameters.requiredPerson("to")
  }
}

/// `Forget`.
package struct ForgetCall: Sendable {
  package let person: Person
  package let app: AppID

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.requiredPerson()
    app = try parameters.requiredApp()
  }
}

/// `VerifyAudit`.
package struct VerifyAuditCall: Sendable {
  package let head: AuditHead?

  package init(_ parameters: JSONObject) throws(Refusal) {
    head = try parameters["head"]?.object.map { (head) throws(Refusal) in
      try Refusal.value { () throws(ValueError) in
        try AuditHead(size: head["size"]?.integer ?? 0, hash: head.text("hash"))
      }
    }
  }
}

extension JSONObject {
  fileprivate func requiredApp() throws(Refusal) -> AppID {
    let text = text("app")
    return try Refusal.value { () throws(ValueError) in try AppID(parsing: text) }
  }

  fileprivate func displayName() throws(Refusal) -> String? {
    try self["displayName"]?.string.map { (text) throws(Refusal) in
      try Refusal.value { () throws(ValueError) in try TextRules.line(text, field: "displayName") }
      return text
    }
  }
}
