// SPDX-License-Identifier: Apache-2.0
//
// `ListSettings` and `ChangeSetting`, read from their parameters. What a setting takes is for the model to say; here a
// change is complete and acceptable, or refused.

package import ConsentModel
package import StrictJSON

/// `ListSettings`.
package struct ListSettingsCall: Sendable {
  package let person: Person?
  package let app: AppID?
  package let limit: Int
  /// Behind which setting the page starts.
  package let after: SettingPlace?

  package init(_ parameters: JSONObject) throws(Refusal) {
    person = try parameters.person()
    app = try parameters.app()
    let page = try PageCall(parameters)
    limit = page.limit
    after = try page.place { SettingPlace($0) }
  }
}

/// `ChangeSetting`.
package struct ChangeSettingCall: Sendable {
  package let person: Person
  package let app: AppID?
  package let setting: SettingName
  package let value: String
  package let guardian: Guardian?

  package init(_ parameters: JSONObject) throws(Refusal) {
    let person = try parameters.requiredPerson()
    let app = try parameters.app()
    let value = parameters.text("value")
    setting = try Refusal.value { () throws(ValueError) in
      let setting = try SettingName(parsing: parameters.text("setting"))
      try SettingRule.check(setting, app: app, value: value)
      return setting
    }
    guardian = try parameters.guardian()
    (self.person, self.app, self.value) = (person, app, value)
  }
}
