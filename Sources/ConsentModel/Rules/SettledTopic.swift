// SPDX-License-Identifier: Apache-2.0
//
// What a guardian has settled beforehand, so that no question is made of it (design, rule 4): a resource that is denied
// or restricted, an app that must not ask. Only a guardian changes that, so an app is told to turn to one.

/// Why a topic is not asked at all.
package enum SettledTopic: String, CaseIterable, Sendable {
  /// The resource is out of the person's hands.
  case restricted
  /// The resource is denied.
  case denied
  /// The app may ask nothing.
  case neverAsk

  /// The names under which settings are kept.
  package static let neverAskSetting = "neverAsk"

  /// The setting of a resource's status; `nil` for another topic.
  package static func setting(of subject: Subject) -> String? {
    if case .resource(let name, _) = subject { "resource/\(name)" } else { nil }
  }

  /// What the values of the two settings come to, each absent where nobody set it. A value that is not known settles
  /// nothing: the guardians are asked.
  package init?(resource: String?, neverAsk: String?) {
    switch resource {
    case let value? where value.isExactly(SettledTopic.restricted.rawValue): self = .restricted
    case let value? where value.isExactly(SettledTopic.denied.rawValue): self = .denied
    default:
      guard neverAsk?.isExactly("true") == true else { return nil }
      self = .neverAsk
    }
  }

  /// What `GetStatus` calls it.
  package var status: Status { self == .restricted ? .restricted : .denied }

  package var reason: Reason { self == .neverAsk ? .neverAsk : .settings }
}
