// SPDX-License-Identifier: Apache-2.0
//
// Whoever installed an app after a change came with it has agreed to the app as it is: nothing has changed for them
// (design, rule 6; decision 0019). Only the order of versions that an administrator wrote down counts, and only the
// version a registered app gave with its first ask, if that was about anything but an update: an update's own ask says
// nothing, since whoever upgraded and never asked before would look as if they had just installed it, and a later ask
// would do the same for a change that was denied.

/// When an update needs no consent because the person never had the app without it.
package enum InstallationRule {
  /// Whether the first version recorded for somebody has the change already. Unknown versions say nothing.
  package static func isInstalledAfter(first: String?, since: String?, versions: [String]) -> Bool {
    guard let first = first.flatMap({ place(of: $0, in: versions) }),
      let since = since.flatMap({ place(of: $0, in: versions) })
    else { return false }
    return first >= since
  }

  /// Whether an ask about a topic of `kind` tells which version somebody has.
  package static func isRecorded(_ kind: TopicKind, provenance: Provenance) -> Bool {
    kind != .significantUpdate && provenance == .registered
  }

  private static func place(of version: String, in versions: [String]) -> Int? {
    versions.firstIndex { $0.isExactly(version) }
  }
}
