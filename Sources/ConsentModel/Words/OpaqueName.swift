// SPDX-License-Identifier: Apache-2.0
//
// What an asker may know of a guardian: whether it was the same one as before. Two askers cannot compare what they know.

extension Guardian {
  /// 32 hex digits: the same for the same guardian and asker in one store, telling nothing else.
  package func opaqueName(for asker: Asker, salt: KeySalt) -> String {
    let text = "guardian \(description) for \(asker.uid) \(asker.app?.text ?? "")"
    return Sodium.keyedHash(Array(text.utf8), salt: salt).hexDigits
  }
}
