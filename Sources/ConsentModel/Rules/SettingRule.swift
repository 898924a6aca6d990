// SPDX-License-Identifier: Apache-2.0
//
// The settings a guardian has, as tables: which there are, whether they belong to an app, which values each takes and
// which one holds where nobody chose. A phone's settings are closed lists, and so are these: a word that is not in
// them is refused, because a setting that does nothing would be taken for one that protects.
//
// A setting says what happens to asks that come; what has been answered keeps its answer.

/// One setting by its name.
package enum SettingName: Hashable, Sendable, CustomStringConvertible {
  /// Whether asks are denied without a question: of one app, or of every app that has no word of its own.
  case neverAsk
  /// Whether one guardian's approval is enough for a person.
  case guardianRule
  /// Where a resource of an app's own stands.
  case resource(String)

  private static let resourcePrefix = "\(TopicKind.resource.rawValue)/"

  /// Reads a name of the wire. Errors: `setting`.
  package init(parsing text: String) throws(ValueError) {
    switch text {
    case _ where text.isExactly("neverAsk"): self = .neverAsk
    case _ where text.isExactly("guardianRule"): self = .guardianRule
    default:
      guard let name = text.utf8.dropping(prefix: SettingName.resourcePrefix), Form.isReverseDomain(name) else {
        throw ValueError(
          field: "setting",
          rule: "neverAsk, guardianRule, or resource/ and a name of at least two labels, such as "
            + "resource/org.example.screenTime")
      }
      self = .resource(String(decoding: name, as: UTF8.self))
    }
  }

  /// All of the resource that this is the setting of.
  package var subject: Subject? {
    if case .resource(let name) = self { .resource(name: name, level: TopicKind.fullLevel) } else { nil }
  }

  /// The name on the wire; of a resource it is the key of its topic too.
  package var description: String {
    switch self {
    case .neverAsk: "neverAsk"
    case .guardianRule: "guardianRule"
    case .resource(let name): SettingName.resourcePrefix + name
    }
  }
}

/// What a resource's setting says.
package enum ResourceSetting: String, CaseIterable, Sendable {
  /// The app may ask.
  case notDetermined
  /// The app has it without a question.
  case approved
  /// The app does not get it and need not ask.
  case denied
  /// The same, and not for the person to mend: the app sends them to a guardian.
  case restricted
}

/// How many guardians must agree.
package enum GuardianCount: String, CaseIterable, Sendable {
  case any, all
}

/// Which settings there are and what they take.
package enum SettingRule {
  /// Whether a setting belongs to an app.
  package enum Place: Sendable {
    case person, app, either
  }

  /// Where a setting stands.
  package static func place(of setting: SettingName) -> Place {
    switch setting {
    case .neverAsk: .either
    case .guardianRule: .person
    case .resource: .app
    }
  }

  /// The values a setting takes.
  package static func choices(of setting: SettingName) -> [String] {
    switch setting {
    case .neverAsk: ["true", "false"]
    case .guardianRule: GuardianCount.allCases.map(\.rawValue)
    case .resource: ResourceSetting.allCases.map(\.rawValue)
    }
  }

  /// What holds where nobody chose.
  package static func standard(of setting: SettingName) -> String {
    switch setting {
    case .neverAsk: "false"
    case .guardianRule: GuardianCount.any.rawValue
    case .resource: ResourceSetting.notDetermined.rawValue
    }
  }

  /// Refuses an app where none belongs, its absence where one does, and a value that is not offered.
  /// Errors: `app`, `value`.
  package static func check(_ setting: SettingName, app: AppID?, value: String) throws(ValueError) {
    switch (place(of: setting), app) {
    case (.app, nil): throw ValueError(field: "app", rule: "given: a resource is an app's own")
    case (.person, _?): throw ValueError(field: "app", rule: "absent: this setting holds for the person as a whole")
    case (.person, nil), (.app, _?), (.either, _): break
    }
    let choices = choices(of: setting)
    guard choices.contains(where: { $0.isExactly(value) }) else {
      throw ValueError(field: "value", rule: "one of \(choices.joined(separator: ", "))")
    }
  }
}
