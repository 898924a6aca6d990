// SPDX-License-Identifier: Apache-2.0
//
// What consentctl says of settings: what holds, who chose it, and what a change means for the app.

import ConsentKit

extension Messages {
  /// The settings as a table. What nobody chose stands in brackets.
  static func settings(_ settings: [PersonSetting], _ output: Output) -> [String] {
    if settings.isEmpty { return ["You are nobody's guardian here."] }
    let rows = settings.map {
      [
        Names.shown($0.person), plain($0.app ?? "–"), plain($0.setting),
        $0.isDefault ? "(\(plain($0.value)))" : plain($0.value),
        $0.setBy.map(Names.shown) ?? "–", $0.setAtUSec.map { Moment.text(usec: $0) } ?? "–",
      ]
    }
    return Table.lines(["FOR", "APP", "SETTING", "VALUE", "SET BY", "SET"], rows, output)
      + ["change one: consentctl settings WHO [APP] SETTING VALUE"]
  }

  /// What a change means, and how it is taken back.
  static func settingChanged(_ setting: PersonSetting) -> [String] {
    let name = Names.shown(setting.person)
    let words = [setting.setting, setting.value].map(plain)
    let meaning = meaning(setting, name: Names.shown(setting.person), app: setting.app.map(plain))
    return ["\(words[0]) of \(name) is \(words[1])\(meaning.map { ": \($0)" } ?? ".")"] + takeBack(setting)
  }

  private static func meaning(_ setting: PersonSetting, name: String, app: String?) -> String? {
    let one = app ?? "the app"
    return switch (setting.setting.split(separator: "/").first.map(String.init), setting.value) {
    case ("neverAsk", "true"):
      "\(app.map { "\($0) does not ask" } ?? "no app asks") about \(name) any more, its asks are denied without a "
        + "question. What is open stays open."
    case ("neverAsk", "false"): "\(app ?? "every app") may ask about \(name)."
    case ("guardianRule", "any"): "the first guardian's answer ends a question about \(name)."
    case ("guardianRule", "all"):
      "an approval for \(name) needs every guardian from now on; one denial still ends a question."
    case ("resource", "approved"): "\(one) has it without a question."
    case ("resource", "denied"), ("resource", "restricted"):
      "\(one) does not get it and cannot ask; what it had of it has ended."
    case ("resource", "notDetermined"): "\(one) may ask for it; what it had of it has ended."
    default: nil
    }
  }

  private static func takeBack(_ setting: PersonSetting) -> [String] {
    guard setting.setting.utf8.starts(with: "resource/".utf8), setting.value != "notDetermined" else { return [] }
    let place = ([setting.person, setting.app].compactMap(\.self) + [setting.setting]).map(plain)
    return ["take it back: consentctl settings \(place.joined(separator: " ")) notDetermined"]
  }
}
