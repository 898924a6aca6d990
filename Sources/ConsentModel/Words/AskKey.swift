// SPDX-License-Identifier: Apache-2.0
//
// An ask's own key makes a retry safe: the same key and topic from the same asker about the same person are the same
// ask, however often they arrive. It is no topic key.

/// The `key` an asker gives to an ask.
package struct AskKey: Hashable, Sendable {
  package let text: String

  /// How long a key stands for its question, from the ask on.
  package static let lifetimeUSec = 48 * Span.hour

  /// Reads a key: 1 to 128 printable ASCII characters.
  package init(parsing text: String) throws(ValueError) {
    guard Form.isKey(text.utf8) else {
      throw ValueError(field: "key", rule: "1 to 128 printable ASCII characters")
    }
    self.text = text
  }
}
