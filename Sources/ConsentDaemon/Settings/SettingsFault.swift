// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a file that a person wrote, told in the same three words wherever it is told: on the terminal, in
// the journal, in `systemctl status` and to whoever asked for a reload.

/// A file of the configuration that cannot be used.
struct SettingsFault: Error, Equatable {
  let file: String
  /// The key (`administrators.1`), or line and column where the text is no JSON5. Empty where it is the whole file.
  let place: String
  let reason: String

  init(_ file: String, _ place: String, _ reason: String) {
    self.file = file
    self.place = place
    self.reason = reason
  }

  /// A file that cannot be used at all.
  init(_ file: String, _ reason: String) { self.init(file, "", reason) }
}

extension SettingsFault: CustomStringConvertible {
  var description: String { [file, place, reason].filter { !$0.isEmpty }.joined(separator: ": ") }
}
