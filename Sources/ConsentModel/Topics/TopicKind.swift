// SPDX-License-Identifier: Apache-2.0
//
// What can be asked, and with which fields. A kind is a table of fields: to learn what a topic may hold, read the
// tables. A field that a kind lacks is refused instead of ignored, because a guardian would never see it.

internal import StrictJSON

/// The kinds of topics.
package enum TopicKind: String, CaseIterable, Sendable {
  /// A new version of an app that changes what was agreed to.
  case significantUpdate
  /// Talking to certain people in certain ways.
  case communication
  /// Something of the app's own, under a reverse-domain name.
  case resource

  /// The fields of this kind beside `kind`.
  var fields: [TopicField] {
    switch self {
    case .significantUpdate: TopicKind.significantUpdateFields
    case .communication: TopicKind.communicationFields
    case .resource: TopicKind.resourceFields
    }
  }

  private static let significantUpdateFields = [
    TopicField("change", TopicField.change),
    TopicField("reasons", TopicField.reasons),
    TopicField("description", TopicField.text, .whenAsked),
    TopicField("personDescription", TopicField.text),
    TopicField("ifDenied", TopicField.text),
    TopicField("sinceVersion", TopicField.line),
    TopicField("disclosureURL", TopicField.address),
    TopicField("language", TopicField.language),
  ]

  private static let communicationFields = [
    TopicField("people", TopicField.people, .always),
    TopicField("actions", TopicField.actions, .always),
  ]

  private static let resourceFields = [
    TopicField("resource", TopicField.resource, .always),
    TopicField("level", TopicField.level, absent: .string(fullLevel)),
    TopicField("purpose", TopicField.text, .whenAsked),
    TopicField("ifDenied", TopicField.text),
  ]

  /// The one level a resource of an app's own has.
  static let fullLevel = "full"
}
