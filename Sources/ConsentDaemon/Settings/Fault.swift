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
    Fault(code: 65, message: "\(error) \(remedy(for: error, path: path))")
  }

  /// The store belongs to a daemon of the other kind: what a sandbox decided counts nowhere else.
  static func otherPurpose(_ purpose: String, path: String) -> Fault {
    Fault(code: 65, message: "The store \(path) is that of a \(purpose). Nothing was changed. Give another directory.")
  }

  private static func remedy(for error: StoreError, path: String) -> String {
    switch error {
    case .newerSchema: "Install the consentd that wrote it, or set it aside: \(settingAside(path, as: "newer"))"
    case .damaged, .foreign:
      "Nothing was changed. To start with an empty store, set it aside: \(settingAside(path, as: "damaged"))"
    case .inUse: "Stop the other daemon first."
    case .full: "Make room on the file system of \(path)."
    case .busy, .closed, .cannotOpen, .constraint, .failed:
      "Look at the permissions of \(path) and its directory."
    }
  }

  /// The log goes with its database: alone, it would be refused.
  private static func settingAside(_ path: String, as name: String) -> String {
    "mv \(path) \(path).\(name); mv \(path)-wal \(path).\(name)-wal"
  }
}
