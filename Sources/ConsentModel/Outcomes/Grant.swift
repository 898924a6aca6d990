// SPDX-License-Identifier: Apache-2.0
//
// What was given, as a guardian sees it: enough to tell what it allows and to take it back.

/// A grant, live or ended.
package struct Grant: Sendable {
  package let grant: GrantID
  package let person: Person
  package let app: AppID?
  package let provenance: Provenance
  /// Empty where what was asked was erased.
  package let topicKey: String
  package let kind: TopicKind
  package let items: [Item]
  package let lifetime: String
  package let grantedAt: Instant
  package let until: Instant?
  package let question: QuestionID?
  /// Who gave it.
  package let guardian: String?
  package let endedAt: Instant?
  package let endedReason: String?

  package init(
    grant: GrantID, person: Person, app: AppID?, provenance: Provenance, topicKey: String, kind: TopicKind,
    items: [Item], lifetime: String, grantedAt: Instant, until: Instant?, question: QuestionID?, guardian: String?,
    endedAt: Instant?, endedReason: String?
  ) {
    self.grant = grant
    self.person = person
    self.app = app
    self.provenance = provenance
    self.topicKey = topicKey
    self.kind = kind
    self.items = items
    self.lifetime = lifetime
    self.grantedAt = grantedAt
    self.until = until
    self.question = question
    self.guardian = guardian
    self.endedAt = endedAt
    self.endedReason = endedReason
  }
}
