// SPDX-License-Identifier: Apache-2.0
//
// The machine's accounts, as the broker compares them.

import ConsentBroker
import ConsentModel
import HostRuntime

/// The accounts of this machine, by its own name service.
struct MachineAccounts: AccountDirectory {
  func login(ofUID uid: UserID) -> PresentLogin {
    do throws(SystemError) {
      return try Accounts.presentName(ofUID: uid).map(PresentLogin.name) ?? .none
    } catch {
      return .unknown
    }
  }
}
