// SPDX-License-Identifier: Apache-2.0
//
// A machine's accounts, which a test changes at will; every look-up is counted.

import ConsentBroker
import ConsentModel

/// Accounts by uid. Who is not in it has none.
final class FakeAccounts: AccountDirectory {
  var logins: [UserID: PresentLogin]
  private(set) var lookUps = 0

  init(_ names: [UserID: String] = [:]) { logins = names.mapValues { .name($0) } }

  /// Mia, her guardians, and who else there is.
  static var family: FakeAccounts { FakeAccounts([1000: "ann", 1001: "mia", 1002: "bob", 1003: "leo"]) }

  func login(ofUID uid: UserID) -> PresentLogin {
    lookUps += 1
    return logins[uid] ?? .none
  }
}
