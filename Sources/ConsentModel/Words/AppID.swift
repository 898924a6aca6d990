// SPDX-License-Identifier: Apache-2.0
//
// The name an app goes by. Whether it is believed is not decided here: that is the asker's provenance.

/// A reverse-domain app id such as `org.example.Chat`.
package struct AppID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  static let rule = "a reverse-domain name: at least two labels of letters, digits and hyphens, at most 255 bytes"

  /// Reads an app id; `field` is the name under which the caller got it.
  package init(parsing text: String, field: String = "app") throws(ValueError) {
    guard let app = AppID(bytes: text.utf8) else { throw ValueError(field: field, rule: AppID.rule) }
    self = app
  }

  init?(bytes: some Collection<UInt8>) {
    guard Form.isReverseDomain(bytes) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  package var description: String { text }
}
