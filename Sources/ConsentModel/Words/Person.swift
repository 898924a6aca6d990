// SPDX-License-Identifier: Apache-2.0
//
// Who is asked about and who may answer. Both are a local user or something a registered service vouches for; they
// are two types, because an account can never answer and a contact can never be asked about.

/// The one whose age or consent is in question.
package enum Person: Hashable, Sendable, CustomStringConvertible {
  /// A local user: `uid:1001`.
  case user(UserID)
  /// An account of a hosted service: `account:org.example.Chat/7f3a`.
  case account(app: AppID, opaque: String)

  static let rule = "uid: and a number from 0 to 4294967294, or account: and \(Principal.hostedForm)"

  /// Reads the wire form; `field` is the name under which the caller got it.
  package init(parsing text: String, field: String = "person") throws(ValueError) {
    switch Principal(parsing: text, scheme: "account:") {
    case .user(let uid)?: self = .user(uid)
    case .hosted(let app, let opaque)?: self = .account(app: app, opaque: opaque)
    case nil: throw ValueError(field: field, rule: Person.rule)
    }
  }

  /// The wire form.
  package var description: String {
    switch self {
    case .user(let uid): "uid:\(uid)"
    case .account(let app, let opaque): "account:\(app)/\(opaque)"
    }
  }
}

/// Who may answer for a person.
package enum Guardian: Hashable, Sendable, CustomStringConvertible {
  /// A local user: `uid:1000`.
  case user(UserID)
  /// Somebody for whom a registered service's bridge speaks: `contact:org.example.Chat/9c41`.
  case contact(app: AppID, opaque: String)

  static let rule = "uid: and a number from 0 to 4294967294, or contact: and \(Principal.hostedForm)"

  /// Reads the wire form; `field` is the name under which the caller got it.
  package init(parsing text: String, field: String = "guardian") throws(ValueError) {
    switch Principal(parsing: text, scheme: "contact:") {
    case .user(let uid)?: self = .user(uid)
    case .hosted(let app, let opaque)?: self = .contact(app: app, opaque: opaque)
    case nil: throw ValueError(field: field, rule: Guardian.rule)
    }
  }

  /// The wire form.
  package var description: String {
    switch self {
    case .user(let uid): "uid:\(uid)"
    case .contact(let app, let opaque): "contact:\(app)/\(opaque)"
    }
  }
}

extension Person {
  /// The local user this is, if it is one.
  package var user: UserID? { if case .user(let uid) = self { uid } else { nil } }
}

extension Guardian {
  /// The local user this is, if it is one.
  package var user: UserID? { if case .user(let uid) = self { uid } else { nil } }
}

/// What the two forms have in common: a uid, or an app's id and an opaque part behind a scheme.
private enum Principal {
  case user(UserID)
  case hosted(AppID, String)

  static let hostedForm = "an app id, a slash and 1 to 128 letters, digits or . _ ~ -"

  init?(parsing text: String, scheme: String) {
    if let digits = text.utf8.dropping(prefix: "uid:") {
      guard let uid = Form.userID(digits) else { return nil }
      self = .user(uid)
    } else if let name = text.utf8.dropping(prefix: scheme), let slash = name.firstIndex(of: UInt8(ascii: "/")) {
      let opaque = name[name.index(after: slash)...]
      guard let app = AppID(bytes: name[..<slash]), Form.isOpaque(opaque) else { return nil }
      self = .hosted(app, String(decoding: opaque, as: UTF8.self))
    } else {
      return nil
    }
  }
}

extension String.UTF8View {
  /// The bytes behind `prefix`; `nil` where the text starts otherwise.
  func dropping(prefix: String) -> Substring.UTF8View? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }
}
