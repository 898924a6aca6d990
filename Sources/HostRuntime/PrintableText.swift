// SPDX-License-Identifier: Apache-2.0
//
// Text from elsewhere, made fit for one line of a log or a status. Everything that moves a cursor, starts a new line or
// turns the direction of writing becomes a visible escape; so does the backslash, which keeps the escapes unambiguous.

/// Escapes for text that is shown on one line.
enum PrintableText {
  /// `text` with control, format and separator characters as `\u{…}` and each backslash doubled.
  static func escaping(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        if scalar == "\\" { shown += "\\" }
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
