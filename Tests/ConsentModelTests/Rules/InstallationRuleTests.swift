// SPDX-License-Identifier: Apache-2.0
//
// Who needs no consent for an update, because they never had the app without it.

import Testing

@testable import ConsentModel

@Suite struct InstallationRuleTests {
  private static let versions = ["1.0", "1.9", "1.10", "2.0"]

  @Test(
    arguments: [
      ("1.0", "2.0", false), ("1.9", "1.10", false), ("1.10", "1.9", true), ("2.0", "2.0", true), ("1.0", "1.0", true),
      ("2.0", "1.0", true), (nil, "2.0", false), ("2.0", nil, false), (nil, nil, false), ("2.1", "2.0", false),
      ("2.0", "1.5", false), ("3.0", "3.0", false),
    ] as [(String?, String?, Bool)])
  func `the order of the entry counts, and nothing else`(first: String?, since: String?, isAfter: Bool) {
    #expect(InstallationRule.isInstalledAfter(first: first, since: since, versions: Self.versions) == isAfter)
    #expect(!InstallationRule.isInstalledAfter(first: first, since: since, versions: []))
  }

  @Test(arguments: TopicKind.allCases, Provenance.allCases)
  func `only a registered app's ask about something else tells the version`(kind: TopicKind, provenance: Provenance) {
    let isRecorded = provenance == .registered && kind != .significantUpdate
    #expect(InstallationRule.isRecorded(kind, provenance: provenance) == isRecorded)
  }
}
