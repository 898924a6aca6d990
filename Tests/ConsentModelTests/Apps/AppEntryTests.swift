// SPDX-License-Identifier: Apache-2.0
//
// What an administrator may say of an app, and who speaks for whom because of it.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct AppEntryTests {
  private func error(
    names: [String: String] = [:], unit: String? = nil, bridgeUID: UserID? = nil, versions: [String] = [],
    plans: [String: [JSONObject]] = [:]
  ) -> String? {
    do throws(ValueError) {
      let id = try AppID(parsing: "org.example.Chat")
      _ = try AppEntry(
        id: id, names: names, uid: 990, unit: unit, bridgeUID: bridgeUID, versions: versions, plans: plans)
      return nil
    } catch {
      return error.field
    }
  }

  @Test(
    arguments: [
      ([:], nil), (["": "Chat"], nil), (["en": "Chat", "pt-BR": "Papo", "zh-Hant": "聊天"], nil),
      (["de": "Plausch"], "names"), (["en": "Chat", "de_AT": "x"], "names.de_AT"), (["en": ""], "names.en"),
      (["en": "Chat\u{202E}"], "names.en"), (["en": "a", "-": "x"], "names.-"), (["en": "a", "1a": "x"], "names.1a"),
      (["en": "a", "abcdefghi": "x"], "names.abcdefghi"), (["en": "two\nlines"], "names.en"),
    ] as [([String: String], String?)])
  func `names stand under language tags, one of them for everybody`(names: [String: String], field: String?) {
    #expect(error(names: names) == field)
  }

  @Test(
    arguments: [
      ("chat.service", nil), ("chat@1.service", nil), ("a.b.service", nil), ("", "unit"), (".service", "unit"),
      ("chat", "unit"), ("chat.scope", "unit"), ("session-3.scope", "unit"), ("user@990.service", "unit"),
      ("app.slice/chat.service", "unit"), ("chat.socket", "unit"),
    ] as [(String, String?)])
  func `a unit is a system service`(unit: String, field: String?) {
    #expect(error(unit: unit) == field)
  }

  @Test func `a service is not its own bridge`() {
    #expect(error(bridgeUID: 990) == "bridgeUid")
    #expect(error(bridgeUID: 991) == nil)
  }

  @Test func `a version stands once`() {
    #expect(error(versions: ["1.0", "1.1", "2.0-rc1"]) == nil)
    #expect(error(versions: ["1.0", "1.1", "1.0"]) == "versions.2")
    #expect(error(versions: ["1.0", " "]) == "versions.1")
  }

  @Test func `a plan's topics are judged as if they were asked`() {
    let topic: JSONObject = ["kind": "resource", "resource": "org.example.time", "purpose": "More."]
    #expect(error(plans: ["start": [topic], "later": [topic, topic]]) == nil)
    #expect(error(plans: ["start": []]) == "plans.start")
    #expect(error(plans: ["a b": [topic]]) == "plans.a b")
    #expect(
      error(plans: ["start": [topic, ["kind": "resource", "resource": "camera"]]]) == "plans.start.1.resource")
    #expect(error(plans: ["start": [["kind": "magic"]]]) == "plans.start.0.kind")
  }
}

@Suite struct AppRegistryTests {
  @Test func `a local user speaks for themself, a contact's bridge for the contact, and else nobody`() throws {
    let mute = try Guardian(parsing: "contact:org.example.mute/mum")
    #expect(AppRegistry.bridged.speaker(for: .user(5)) == 5)
    #expect(AppRegistry.bridged.speaker(for: try Guardian(parsing: "contact:org.example/mum")) == 9)
    #expect(AppRegistry.bridged.speaker(for: mute) == nil)
    #expect(AppRegistry.bridged.speaker(for: try Guardian(parsing: "contact:org.other/mum")) == nil)
    #expect(AppRegistry().speaker(for: mute) == nil)
  }

  @Test func `a bridge knows its apps, and a uid whether an app runs as it`() {
    #expect(AppRegistry.bridged.bridged(by: 9).map(\.text) == ["org.example"])
    #expect(AppRegistry.bridged.bridged(by: 8).isEmpty)
    #expect(AppRegistry.bridged.isRegistered(8) && !AppRegistry.bridged.isRegistered(9))
  }
}
