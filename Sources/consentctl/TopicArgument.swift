// SPDX-License-Identifier: Apache-2.0
//
// A topic as people type it: its key, and options for the texts. What a topic may hold is the daemon's to judge; here
// is only decided which kind is meant and which option belongs to it.

import ConsentKit

/// Reads a topic from a command line.
enum TopicArgument {
  /// The options that name what a topic is about.
  static let subjectOptions = [
    Option("--with", .required("KIND:HANDLE[=NAME]"), repeats: true, "communication: another person"),
    Option("--action", .required("ACTION"), repeats: true, "communication: message, audioCall, videoCall, …"),
    Option("--level", .required("LEVEL"), "resource: how much of it (full)"),
    Option("--text", .required("TEXT"), "significantUpdate: what changes, for the guardian"),
  ]

  /// The options that carry what a guardian reads.
  static let textOptions = [
    Option("--person-text", .required("TEXT"), "significantUpdate: what changes, for the person"),
    Option(
      "--reason", .required("REASON"), repeats: true,
      "significantUpdate: dataCategories, ageRating, monetization or functionality"),
    Option("--since", .required("VERSION"), "significantUpdate: the first version that has it"),
    Option("--url", .required("URL"), "significantUpdate: where it is described in full"),
    Option("--language", .required("TAG"), "significantUpdate: the language of the texts"),
    Option("--purpose", .required("TEXT"), "resource: what it is for"),
    Option(
      "--if-denied", .required("TEXT"),
      "what a denial leads to: staysOnOldVersion, featureOff, appBlocked or a sentence"),
  ]

  /// The option behind which a field of a topic was typed.
  static func option(for field: String) -> String? {
    let options = [
      "description": "--text", "personDescription": "--person-text", "reasons": "--reason", "sinceVersion": "--since",
      "disclosureURL": "--url", "language": "--language", "purpose": "--purpose", "ifDenied": "--if-denied",
      "level": "--level", "actions": "--action", "people": "--with", "people.kind": "--with", "people.handle": "--with",
      "people.name": "--with",
    ]
    return options[field]
  }

  /// The lines of help about topics.
  static let details = [
    "TOPIC is significantUpdate/CHANGE, resource/REVERSE.DOMAIN.NAME, or communication with --with and --action."
  ]

  /// The topic of a key and the options that go with it.
  static func topic(_ key: String, _ arguments: Arguments) throws(CommandFailure) -> Topic {
    let halves = key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let subject = halves.count > 1 ? halves.last : nil
    switch (halves.first, subject) {
    case ("significantUpdate", _):
      try refuse(["--with", "--action", "--level", "--purpose"], for: "significantUpdate", arguments)
      return update(subject, arguments)
    case ("resource", let name?):
      try refuse(
        ["--with", "--action", "--text", "--person-text", "--reason", "--since", "--url", "--language"],
        for: "resource", arguments)
      return .resource(
        name, purpose: arguments.value("--purpose"), level: arguments.value("--level"),
        ifDenied: arguments.value("--if-denied"))
    case ("communication", nil):
      try refuse(
        [
          "--level", "--text", "--person-text", "--reason", "--since", "--url", "--language", "--purpose",
          "--if-denied",
        ], for: "communication", arguments)
      return try communication(arguments)
    case ("communication", _): throw .usage("a communication is named by its people: communication --with KIND:HANDLE")
    default: throw .usage("a topic is significantUpdate/CHANGE, resource/NAME or communication")
    }
  }

  private static func update(_ change: String?, _ arguments: Arguments) -> Topic {
    .significantUpdate(
      change, description: arguments.value("--text"), personDescription: arguments.value("--person-text"),
      reasons: arguments.values("--reason"), ifDenied: arguments.value("--if-denied"),
      sinceVersion: arguments.value("--since"), disclosureURL: arguments.value("--url"),
      language: arguments.value("--language"))
  }

  private static func communication(_ arguments: Arguments) throws(CommandFailure) -> Topic {
    let actions = arguments.values("--action")
    guard !actions.isEmpty else { throw .usage("say what they want to do: --action message") }
    var people: [Contact] = []
    for typed in arguments.values("--with") { people.append(try contact(typed)) }
    guard !people.isEmpty else { throw .usage("say with whom: --with KIND:HANDLE[=NAME]") }
    return .communication(with: people, actions: actions)
  }

  /// `KIND:HANDLE[=NAME]`; the handle ends at the first `=`.
  private static func contact(_ typed: String) throws(CommandFailure) -> Contact {
    let halves = typed.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else {
      throw .usage("--with takes KIND:HANDLE[=NAME], such as phoneNumber:+4930123456=Oma")
    }
    let parts = halves[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return Contact(
      handle: String(parts[0]), kind: String(halves[0]), name: parts.count > 1 ? String(parts[1]) : nil)
  }

  private static func refuse(
    _ options: [String], for kind: String, _ arguments: Arguments
  ) throws(CommandFailure) {
    guard let option = options.first(where: arguments.has) else { return }
    throw .usage("\(option) does not go with \(kind)")
  }
}
