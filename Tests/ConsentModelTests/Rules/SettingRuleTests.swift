// SPDX-License-Identifier: Apache-2.0
//
// Which settings there are, what they take, and what holds.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct SettingRuleTests {
  private static let resource = "resource/org.example.screenTime"

  /// What a change is refused for; `nil`: it is taken.
  @Test(
    arguments: [
      ("neverAsk", nil, "true", nil), ("neverAsk", nil, "false", nil),
      ("neverAsk", "org.example.Chat", "true", nil), ("neverAsk", "org.example.Chat", "false", nil),
      ("neverAsk", nil, "", "value"), ("neverAsk", nil, "yes", "value"), ("neverAsk", nil, "True", "value"),
      ("neverAsk", nil, "true ", "value"), ("neverAsk", nil, "any", "value"),
      ("guardianRule", nil, "any", nil), ("guardianRule", nil, "all", nil),
      ("guardianRule", nil, "none", "value"), ("guardianRule", nil, "true", "value"),
      ("guardianRule", "org.example.Chat", "all", "app"),
      (resource, "org.example.Chat", "notDetermined", nil), (resource, "org.example.Chat", "approved", nil),
      (resource, "org.example.Chat", "denied", nil), (resource, "org.example.Chat", "restricted", nil),
      (resource, "org.example.Chat", "limited", "value"), (resource, "org.example.Chat", "approve", "value"),
      (resource, nil, "denied", "app"), (resource, nil, "nothing", "app"),
      ("", nil, "true", "setting"), ("neverask", nil, "true", "setting"), ("neverAsk\n", nil, "true", "setting"),
      ("sharing", nil, "always", "setting"), ("delegation", nil, "self", "setting"),
      ("resource", "org.example.Chat", "denied", "setting"), ("resource/", "org.example.Chat", "denied", "setting"),
      ("resource/camera", "org.example.Chat", "denied", "setting"),
      ("resource/org..x", "org.example.Chat", "denied", "setting"),
      ("Resource/org.example.screenTime", "org.example.Chat", "denied", "setting"),
      ("resource/" + String(repeating: "a.", count: 512), "org.example.Chat", "denied", "setting"),
      (String(repeating: "n", count: 1_024), nil, "true", "setting"),
      ("neverAsk", nil, String(repeating: "t", count: 1_024), "value"),
    ] as [(String, String?, String, String?)])
  func `a change is taken only as the tables have it`(
    setting: String, app: String?, value: String, field: String?
  ) throws {
    let app = try app.map { try AppID(parsing: $0) }
    do throws(ValueError) {
      try SettingRule.check(try SettingName(parsing: setting), app: app, value: value)
      #expect(field == nil)
    } catch {
      #expect(error.field == field)
      #expect(!error.rule.contains(String(repeating: "n", count: 100)))
    }
  }

  @Test(arguments: ["neverAsk", "guardianRule", resource, "resource/a.b"])
  func `a name reads as it is written`(text: String) throws {
    #expect(try SettingName(parsing: text).description == text)
  }

  @Test func `the setting of a resource has the key of its topic`() throws {
    let subject = try Subject(json: ["kind": "resource", "resource": "org.example.screenTime"])
    let salt = KeySalt.random()
    #expect(try SettingName(parsing: subject.key(salt: salt)) == .resource("org.example.screenTime"))
  }

  @Test(arguments: [SettingName.neverAsk, .guardianRule, .resource("a.b")])
  func `what holds where nobody chose is one of the choices`(setting: SettingName) {
    #expect(SettingRule.choices(of: setting).contains(SettingRule.standard(of: setting)))
  }

  @Test func `nothing is granted and nothing refused where nobody chose`() {
    #expect(SettingRule.standard(of: .neverAsk) == "false")
    #expect(SettingRule.standard(of: .guardianRule) == "any")
    #expect(SettingRule.standard(of: .resource("a.b")) == "notDetermined")
  }
}
