// SPDX-License-Identifier: Apache-2.0
//
// One entry of the list of apps: what an administrator registered, and what has asked here without an entry.

/// An app, and what it has asked.
package struct KnownApp: Sendable {
  /// `nil` for whatever asked without a name.
  package let id: AppID?
  package let entry: AppEntry?
  /// The uids it has asked as, ascending.
  package let uids: [UserID]
  /// Questions it has put.
  package let questions: Int
  /// When it last put one.
  package let lastAskedAt: Instant?

  package init(id: AppID?, entry: AppEntry?, uids: [UserID], questions: Int, lastAskedAt: Instant?) {
    self.id = id
    self.entry = entry
    self.uids = uids
    self.questions = questions
    self.lastAskedAt = lastAskedAt
  }

  /// What the id is worth when it asks next.
  package var provenance: Provenance { entry != nil ? .registered : id != nil ? .claimed : .unidentified }
}
