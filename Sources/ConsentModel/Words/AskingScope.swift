// SPDX-License-Identifier: Apache-2.0
//
// Who shares good manners (design, rule 5). A registered app is known whatever uid it runs as. Any other id is a label
// its program chose, so a new label must not be a new start: all unregistered askers of a uid share one set of
// cool-downs and one budget for each person.

/// The scope of cool-downs and budgets.
package struct AskingScope: Hashable, Sendable, CustomStringConvertible {
  /// `app:` and the id of a registered app, or `uid:` and a number.
  package let description: String

  /// The scope of an asker whose app id is worth `provenance`.
  package init(of asker: Asker, provenance: Provenance) {
    if provenance == .registered, let app = asker.app {
      description = "app:\(app)"
    } else {
      description = "uid:\(asker.uid)"
    }
  }
}
