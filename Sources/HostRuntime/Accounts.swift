// SPDX-License-Identifier: Apache-2.0
//
// Login names and uids, by the machine's own name service. An account that cannot be found is nobody: there is no
// fallback, least of all to uid 0.
//
// A name service may sit on a network, so a look-up can take its time: whoever asks about many calls keeps what was found
// for a while.

internal import Glibc

/// Look-ups in the machine's account database.
package enum Accounts {
  /// The login name of a uid; `nil` where no account has it or the look-up failed.
  package static func name(ofUID uid: UInt32) -> String? {
    try? presentName(ofUID: uid)
  }

  /// The login name of a uid; `nil` where no account has it. Throws where the look-up failed.
  package static func presentName(ofUID uid: UInt32) throws(SystemError) -> String? {
    try account("getpwuid") { getpwuid_r(uid, $0, $1, $2, $3) }?.name
  }

  /// The uid behind a login name; `nil` where there is no such account or the look-up failed.
  package static func uid(ofLogin login: String) -> UInt32? {
    guard !login.utf8.contains(0) else { return nil }
    return try? account("getpwnam") { getpwnam_r(login, $0, $1, $2, $3) }?.uid
  }

  private typealias LookUp = (
    UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
  ) -> Int32

  /// What C libraries give for "there is none", beside 0. Only these say so; any other number is a failure.
  private static let absences: Set<Int32> = [0, ENOENT, ESRCH]

  /// Looks an account up with more and more room for its texts, up to 1 MiB.
  private static func account(
    _ call: StaticString, _ lookUp: LookUp
  ) throws(SystemError) -> (name: String, uid: UInt32)? {
    var room = 1 << 10
    while room <= 1 << 20 {
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let texts = UnsafeMutablePointer<CChar>.allocate(capacity: room)
      defer { texts.deallocate() }
      let failure = lookUp(&entry, texts, room, &found)
      if failure == 0 { return found.map { (String(cString: $0.pointee.pw_name), $0.pointee.pw_uid) } }
      if absences.contains(failure) { return nil }
      guard failure == ERANGE else { throw SystemError(call: "\(call)", errno: failure) }
      room *= 4
    }
    throw SystemError(call: "\(call)", errno: ERANGE)
  }
}
