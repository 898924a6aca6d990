// SPDX-License-Identifier: Apache-2.0
//
// What a guardian settled beforehand, for every pair of values.

import StrictJSON
import Testing

@testable import ConsentModel

@Suite struct SettledTopicTests {
  @Test(arguments: [nil, "restricted", "denied", "approved", "Denied", ""], [nil, "true", "false", "yes"])
  func `only the words that are known settle anything`(resource: String?, neverAsk: String?) {
    let expected: SettledTopic? =
      resource == "restricted" ? .restricted : resource == "denied" ? .denied : neverAsk == "true" ? .neverAsk : nil
    #expect(SettledTopic(resource: resource, neverAsk: neverAsk) == expected)
  }

  @Test(
    arguments: [
      (.restricted, .restricted, .settings), (.denied, .denied, .settings), (.neverAsk, .denied, .neverAsk),
    ] as [(SettledTopic, Status, Reason)])
  func `what is settled has a status and a reason`(topic: SettledTopic, status: Status, reason: Reason) {
    #expect(topic.status == status)
    #expect(topic.reason == reason)
  }

  @Test func `only a resource has a setting of its own`() throws {
    let resource = try Subject(json: ["kind": "resource", "resource": "org.example.x"])
    let update = try Subject(json: ["kind": "significantUpdate", "change": "2.0"])
    #expect(SettledTopic.setting(of: resource) == "resource/org.example.x")
    #expect(SettledTopic.setting(of: update) == nil)
  }
}
