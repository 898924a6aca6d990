// SPDX-License-Identifier: Apache-2.0
//
// One piece of an export. A person can have more than one message holds, so an export is a row of records in the order of
// the kinds below, each a copy of what is stored.

package import StrictJSON

/// A record of what is stored about a person.
package struct ExportedRecord: Sendable, Equatable {
  /// What a record holds, in the order in which they come.
  package enum Kind: String, CaseIterable, Sendable {
    /// The enrolment; at most one.
    case person
    case guardian
    /// Somebody whose guardian the person is.
    case guardianship
    /// A declaration of age, ended or not.
    case declaration
    case asker
    /// A question with its answers and what they granted.
    case question
    case event
    /// An entry of the audit about the person.
    case audit
    /// Nothing: the export is complete.
    case end
  }

  package let kind: Kind
  package let content: JSONObject

  package init(_ kind: Kind, _ content: JSONObject) {
    self.kind = kind
    self.content = content
  }
}
