// SPDX-License-Identifier: Apache-2.0
//
// The program around the daemon: arguments in, exit code out.

import FoundationEssentials
import HostRuntime

/// What `consentd` does.
package enum DaemonProgram {
  /// Runs with the arguments behind the program's name, and returns the exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    do {
      let options = try Options(arguments)
      switch options.action {
      case .showHelp: print(Options.help)
      case .showVersion: print("\(Product.name) \(Product.version)")
      case .checkConfiguration: return check(options)
      case .serve: try serve(options)
      }
      return 0
    } catch let fault as Fault {
      return end(fault)
    } catch let fault as SettingsFault {
      return end(.configuration(fault))
    } catch let error as Options.UsageError {
      return end(.usage(error.message))
    } catch {
      return end(Fault(code: 71, message: "\(error)"))
    }
  }

  /// Says what is wrong with every file of the configuration, or what was read where nothing is.
  private static func check(_ options: Options) -> Int32 {
    var reader = SettingsReader()
    _ = Configuration(options, &reader)
    for remark in reader.remarks { Journal().log(.warning, remark) }
    for fault in reader.faults { Journal().log(.error, "\(fault)") }
    guard reader.faults.isEmpty else { return Fault.configuration(reader.faults[0]).code }
    for file in reader.files { print("read: \(file)") }
    print(reader.files.isEmpty ? "there is no file; everything is as by default" : "no errors")
    return 0
  }

  private static func serve(_ options: Options) throws {
    let log: Journal
    if let sandbox = options.sandbox {
      try FileManager.default.createDirectory(
        atPath: sandbox, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      log = try Journal(file: "\(sandbox)/consentd.log")
    } else {
      log = Journal()
    }
    try Loop.run { try await Daemon(options, log: Log(log)).run() }
  }

  private static func end(_ fault: Fault) -> Int32 {
    LogEntry.ended(fault).write(to: Journal())
    return fault.code
  }
}
