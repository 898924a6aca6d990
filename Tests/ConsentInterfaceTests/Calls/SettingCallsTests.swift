// SPDX-License-Identifier: Apache-2.0
//
// The calls about settings: read as they stand, refused with the field that is wrong.

import ConsentInterface
import ConsentModel
import StrictJSON
import Testing

@Suite struct SettingCallsTests {
  private static let place = "uid:1001 org.example.Chat resource/org.example.screenTime"

  @Test func `a change is read whole`() throws {
    let call = try ChangeSettingCall([
      "person": "uid:1001", "app": "org.example.Chat", "setting": "resource/org.example.screenTime", "value": "denied",
      "guardian": "contact:org.example.Chat/nan",
    ])
    #expect(call.person == .mia && call.app == .chat)
    #expect(call.setting == .resource("org.example.screenTime"))
    #expect(call.value == "denied")
    #expect(call.guardian == .contact(app: .chat, opaque: "nan"))
  }

  @Test(
    arguments: BadValue.people + [
      BadValue("app", "chat"), BadValue("app", ""), BadValue("setting", ""), BadValue("setting", "sharing"),
      BadValue("setting", .string(String(repeating: "s", count: 1_024))), BadValue("value", ""),
      BadValue("value", "TRUE"), BadValue("value", .string(String(repeating: "v", count: 1_024))),
      BadValue("guardian", "uid:-1"),
    ])
  func `a bad value in a change is refused with its field`(bad: BadValue) throws {
    try bad.isRefused(in: ["person": "uid:1001", "setting": "neverAsk", "value": "true"]) {
      _ = try ChangeSettingCall($0)
    }
  }

  @Test func `an app belongs to a resource and to no rule of guardians`() throws {
    try BadValue("app", "org.example.Chat").isRefused(
      in: ["person": "uid:1001", "setting": "guardianRule", "value": "all"]) { _ = try ChangeSettingCall($0) }
    #expect(throws: Refusal.self) {
      try ChangeSettingCall(["person": "uid:1001", "setting": "resource/a.b", "value": "denied"])
    }
  }

  @Test func `a list may go on where a page ended`() throws {
    let call = try ListSettingsCall([
      "person": "uid:1001", "app": "org.example.Chat", "limit": 7, "after": .string(Self.place),
    ])
    #expect(call.person == .mia && call.app == .chat && call.limit == 7)
    #expect(call.after?.description == Self.place)
    #expect(try ListSettingsCall([:]).after == nil)
    #expect(try ListSettingsCall(["after": "uid:1001  guardianRule"]).after?.app == nil)
  }

  @Test(arguments: [
    "", " ", "  ", "uid:1001", "uid:1001 ", "uid:1001  x", "mia  neverAsk", "uid:1001 chat neverAsk",
    "uid:1001  neverAsk ", "uid:1001 org.example.Chat neverAsk x",
  ])
  func `a place that no page gave is refused`(place: String) throws {
    try BadValue("after", .string(place)).isRefused { _ = try ListSettingsCall($0) }
  }

  @Test func `settings stand by person, then by app, what holds for every app first`() {
    let names = [SettingName.guardianRule, .neverAsk, .resource("a.b")]
    let apps = [nil, AppID.chat]
    let places = [Person.mia, .user(1002)].flatMap { person in
      apps.flatMap { app in names.map { SettingPlace(person: person, app: app, name: $0) } }
    }
    #expect(places.shuffled().sorted() == places)
    #expect(places.map { SettingPlace($0.description) } == places)
  }
}
