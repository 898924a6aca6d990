// SPDX-License-Identifier: Apache-2.0
//
// How sure it is who asks, in words: on a guardian's card, in the list of apps, and what a service's import came to.

import ConsentKit
import StrictJSON

extension Messages {
  /// Who asks and how sure that is, for whoever is about to answer.
  static func origin(_ card: Card) -> String {
    switch (card.app, card.provenance) {
    case (nil, _): "a program that gave no name (any program of this user could)"
    case (let app?, "claimed"): "\(plain(app)) (so it says itself; any program of this user could)"
    case (let app?, "registered"):
      card.displayName(for: Names.language).map { "\(plain($0)) (\(plain(app)), registered by the administrator)" }
        ?? "\(plain(app)) (registered by the administrator)"
    case (let app?, let provenance): "\(plain(app)) (\(plain(provenance)))"
    }
  }

  /// The same in a table.
  static func shortOrigin(_ card: Card) -> String {
    guard let app = card.app else { return "–" }
    return "\(plain(app)) (\(card.provenance == "claimed" ? "so it says" : plain(card.provenance)))"
  }

  /// Who is registered and who has asked, as a table.
  static func apps(_ apps: [JSONObject], _ output: Output) -> [String] {
    if apps.isEmpty { return ["No app is registered, and none has asked."] }
    let rows = apps.map { app in
      [
        plain(app["app"]?.string ?? "–"), plain(app["provenance"]?.string ?? "?"), users(app),
        "\(app["questions"]?.integer ?? 0)", app["lastAskedAtUSec"]?.integer.map { Moment.text(usec: $0) } ?? "–",
      ]
    }
    return Table.lines(["APP", "NAME IS", "USER", "ASKED", "LAST"], rows, output)
  }

  /// One app in full.
  static func app(_ app: JSONObject) -> [String] {
    func user(_ name: String) -> String? { app[name]?.integer.map { Names.shown("uid:\($0)") } }
    let names = (app["names"]?.object?.members ?? []).map { name in
      "\(plain(name.value.string ?? ""))\(name.name.isEmpty ? "" : " (\(plain(name.name)))")"
    }
    let lines: [(String, String?)] = [
      ("app", app["app"]?.string.map(plain)), ("its name is", app["provenance"]?.string.map(plain)),
      ("shown as", names.isEmpty ? nil : names.joined(separator: ", ")), ("runs as", user("uid")),
      ("unit", app["unit"]?.string.map(plain)), ("bridge", user("bridgeUid")), ("versions", list(app["versions"])),
      ("plans", app["plans"]?.object.map { $0.members.map { plain($0.name) }.joined(separator: ", ") }),
      ("has asked as", users(app)), ("questions", app["questions"]?.integer.map(String.init)),
      ("last asked", app["lastAskedAtUSec"]?.integer.map { Moment.text(usec: $0) }),
    ]
    return lines.compactMap { label, value in value.map { "\(label): \($0)" } }
  }

  private static func users(_ app: JSONObject) -> String {
    let uids = (app["uids"]?.array ?? []).compactMap(\.integer)
    let known = uids.isEmpty ? app["uid"]?.integer.map { [$0] } ?? [] : uids
    return known.isEmpty ? "–" : known.map { Names.shown("uid:\($0)") }.joined(separator: ", ")
  }

  private static func list(_ json: JSON?) -> String? {
    json?.array.map { $0.compactMap(\.string).map(plain).joined(separator: ", ") }
  }

  // MARK: Importing

  /// One line of an import that came to nothing.
  static func notImported(_ line: Int64, _ person: String?, _ reason: String) -> String {
    "line \(line)\(person.map { ", \(Names.shown($0))" } ?? ""): \(reason)"
  }

  /// What an import came to.
  static func imported(_ imported: Int64, failed: Int64) -> String {
    failed == 0
      ? "imported: \(imported)"
      : "imported: \(imported), failed: \(failed); put those right and give them again, what is done may be repeated"
  }
}
