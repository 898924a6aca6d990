// SPDX-License-Identifier: Apache-2.0
//
// What ends the daemon: one line for the administrator, and an exit code that systemd understands (sysexits.h).

import ConsentStore
import HostRuntime

/// A reason not to go on.
struct Fault: Error, Equatable {
  let code: Int32
  let message: String

  /// The command line cannot be followed.
  static func usage(_ message: String) -> Fault { Fault(code: 64, message: message) }

  /// The configuration cannot be used.
  static func configuration(_ fault: SettingsFault) -> Fault { Fault(code: 78, message: "\(fault)") }

  /// The system refused something without which there is no daemon.
  static func system(_ error: SystemError) -> Fault { Fault(code: 71, message: "\(error)") }

  /// The store cannot be used. Nothing was changed, and the unit does not restart on this code.
  static func store(_ error: StoreError, path: String) -> Fault {
    Fault(code: 65, message: "\(error) \(error.remedy(for: path))")
  }

  /// The store belongs to a daemon of the other kind: what a sandbox decided counts nowhere else.
  static func otherPurpose(_ purpose: String, path: String) -> Fault {
    Fault(code: 65, message: "The store \(path) is that of a \(purpose). Nothing was changed. Give another directory.")
  }
}
