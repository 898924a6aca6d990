// SPDX-License-Identifier: Apache-2.0
//
// An entry of the audit as a guardian reads it. What was erased is not among them.

package import StrictJSON

/// One thing that was decided or changed about a person.
package struct HistoryEntry: Sendable, Equatable {
  /// Its place in the audit, by which `VerifyAudit` names it too.
  package let sequence: Int64
  package let at: Instant
  /// `AuditKind`, or a word of a later version.
  package let kind: String
  /// As the person is called now; `nil` where it is about nobody, which a sandbox alone shows.
  package let person: Person?
  package let app: AppID?
  package let facts: JSONObject

  package init(sequence: Int64, at: Instant, kind: String, person: Person?, app: AppID?, facts: JSONObject) {
    self.sequence = sequence
    self.at = at
    self.kind = kind
    self.person = person
    self.app = app
    self.facts = facts
  }
}
