// SPDX-License-Identifier: Apache-2.0
//
// What an administrator writes: JSON5 files, read at the start, judged as a whole.
//
// A file that cannot be understood to the last key stops the daemon with its path, the place inside it and the reason;
// a misspelt key is never a silent default.

import ConsentModel
import FoundationEssentials
import HostRuntime

/// The configuration, complete.
struct Configuration: Sendable {
  let administrators: Set<UserID>
  let apps: AppRegistry
  let policy: Policy
  let limits: Limits

  /// Reads the main file, its drop-ins, the app entries and the policy.
  ///
  /// Only a file that nobody asked for by name may be absent. Drop-ins are `FILE.d/*.json5`; app entries and policies
  /// stand in `apps.d` and `policies.d` beside the file and in the share directory beside the program, where a file
  /// beside the main one wins over one of the same name.
  static func load(_ options: Options) throws(Fault) -> Configuration {
    let file = options.configuration
    guard
      let first = try SettingsFile.read(MainFile.self, at: file) ?? (options.isConfigurationGiven ? nil : MainFile())
    else { throw .configuration("\(file): there is no such file") }
    var administrators = try first.administrators(in: file)
    var policy = first.policy
    var limits = options.sandbox == nil ? Limits.standard : .sandbox
    first.limits?.apply(to: &limits)
    for name in try SettingsFile.names(in: file + ".d") {
      let path = "\(file).d/\(name)"
      guard let dropIn = try SettingsFile.read(MainFile.self, at: path) else { continue }
      administrators = try dropIn.administrators(in: path) ?? administrators
      policy = dropIn.policy ?? policy
      dropIn.limits?.apply(to: &limits)
    }
    let own = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let directories = [own, shareDirectory]
    return Configuration(
      administrators: administrators ?? [], apps: AppRegistry(try AppEntry.load(from: directories)),
      policy: try Policy.load(policy ?? Policy.baseline.id, from: directories), limits: limits)
  }

  /// `share/consentd` beside the `bin` the program stands in.
  private static var shareDirectory: String {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let place = program.split(separator: "/").dropLast()
    guard place.last == "bin" else { return "/usr/share/consentd" }
    return "/\(place.dropLast().joined(separator: "/"))/share/consentd"
  }
}

/// `consentd.json5`.
private struct MainFile: Decodable {
  var administrators: [ConfiguredUser]?
  var policy: String?
  var limits: LimitsFile?

  private enum CodingKeys: String, CodingKey, CaseIterable { case administrators, policy, limits }

  init() {}

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(CodingKeys.self)
    administrators = try members.decodeIfPresent([ConfiguredUser].self, forKey: .administrators)
    policy = try members.decodeIfPresent(String.self, forKey: .policy)
    limits = try members.decodeIfPresent(LimitsFile.self, forKey: .limits)
  }

  /// The administrators this file lists; `nil` where it says nothing of them.
  func administrators(in file: String) throws(Fault) -> Set<UserID>? {
    guard let administrators else { return nil }
    return Set(try administrators.map { (user) throws(Fault) in try user.uid(in: file, key: "administrators") })
  }
}

/// A user, by uid or login name.
enum ConfiguredUser: Decodable, Equatable {
  case uid(UserID)
  case login(String)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let name = try? value.decode(String.self) {
      self = .login(name)
    } else if let number = try? value.decode(UserID.self), number < .max {
      self = .uid(number)
    } else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "neither a login name nor a uid from 0 to \(UserID.max - 1)")
    }
  }

  /// The uid; a login name that nobody has is a fault of the file, at `key`.
  func uid(in file: String, key: String) throws(Fault) -> UserID {
    switch self {
    case .uid(let uid): return uid
    case .login(let name):
      guard let uid = Accounts.uid(ofLogin: name) else {
        throw .configuration("\(file): \(key): there is no user \(name)")
      }
      return uid
    }
  }
}
