// SPDX-License-Identifier: Apache-2.0
//
// The command line of consentd.

/// What the command line asks for.
struct Options: Equatable {
  /// What to do.
  enum Action: Equatable {
    case serve
    case checkConfiguration
    case showVersion
    case showHelp
  }

  var action = Action.serve
  /// Where a sandbox lives; absent for a daemon in earnest.
  var sandbox: String?
  var runtimeDirectory = "/run/consentd"
  var stateDirectory = "/var/lib/consentd"
  var configuration = "/etc/consentd/consentd.json5"
  /// Whether the command line names the configuration.
  var isConfigurationGiven = false

  /// A command line that cannot be followed.
  struct UsageError: Error, Equatable {
    let message: String
  }

  /// Reads the arguments behind the program's name.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    var directories: [String] = []
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": action = .showHelp
      case "--version": action = .showVersion
      case "--check-config": action = .checkConfiguration
      case "--sandbox": sandbox = try Self.value(of: argument, &rest)
      case "--runtime-directory":
        runtimeDirectory = try Self.value(of: argument, &rest)
        directories.append(argument)
      case "--state-directory":
        stateDirectory = try Self.value(of: argument, &rest)
        directories.append(argument)
      case "--config":
        configuration = try Self.value(of: argument, &rest)
        isConfigurationGiven = true
      default: throw UsageError(message: "unknown argument \(argument); consentd --help lists them")
      }
    }
    guard let sandbox else { return }
    guard directories.isEmpty else {
      throw UsageError(message: "--sandbox keeps everything below its directory: leave out \(directories[0])")
    }
    runtimeDirectory = sandbox
    stateDirectory = sandbox
    if !isConfigurationGiven { configuration = "\(sandbox)/consentd.json5" }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else { throw UsageError(message: "\(option) needs a value") }
    return value
  }

  /// What `--help` prints.
  static let help = """
    consentd brokers parental consent: apps ask, guardians answer, whoever waits goes on.

    usage: consentd [--config FILE] [--runtime-directory DIR] [--state-directory DIR]
           consentd --sandbox DIR     everything below DIR, for trying and testing: one user plays every role
           consentd --check-config    reads every file of the configuration, says what is wrong with each, and ends
           consentd --version

    defaults: --config /etc/consentd/consentd.json5, --runtime-directory /run/consentd,
              --state-directory /var/lib/consentd
    exit codes: 0 ended in order, 64 usage, 65 the store cannot be used, 71 the system refused, 78 configuration
    """
}
