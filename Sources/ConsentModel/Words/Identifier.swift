// SPDX-License-Identifier: Apache-2.0
//
// Ids are 128 random bits, so that knowing one says nothing about another. An id is no permission: who may see what
// it names is checked on every call.

/// 32 lower-case hex digits that name one `Named`; ids of different things do not mix.
package struct Identifier<Named>: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Reads a whole id; `nil` where `text` is anything but 32 lower-case hex digits.
  package init?(_ text: String) {
    guard text.utf8.count == 32, Identifier.isPrefix(text) else { return nil }
    self.text = text
  }

  /// Whether `text` may stand for an id that starts with it: 4 to 32 lower-case hex digits.
  package static func isPrefix(_ text: String) -> Bool {
    (4...32).contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private init(bytes: [UInt8]) { text = bytes.hexDigits }

  /// A new id.
  package static func random() -> Identifier { Identifier(bytes: Sodium.randomBytes(16)) }

  /// 32 hex digits that follow from this id and a purpose, and from which it cannot be guessed.
  package func derived(_ purpose: String, salt: KeySalt) -> String {
    Sodium.keyedHash(Array("\(purpose) \(text)".utf8), salt: salt).hexDigits
  }

  package var description: String { text }
}

/// What ids name.
package enum Named {
  package enum Question {}
  package enum Grant {}
  package enum Declaration {}
}

package typealias QuestionID = Identifier<Named.Question>
package typealias GrantID = Identifier<Named.Grant>
package typealias DeclarationID = Identifier<Named.Declaration>
