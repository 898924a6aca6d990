// SPDX-License-Identifier: Apache-2.0
//
// What an administrator writes: JSON5 files, read at the start and at a reload, judged as a whole.
//
// A file that cannot be understood to the last key stops the start, and a reload, with its path, the place inside it
// and the reason; a misspelt key is never a silent default.

import ConsentModel
import FoundationEssentials
import HostRuntime

/// The configuration, complete.
struct Configuration: Sendable {
  let administrators: Set<UserID>
  let apps: AppRegistry
  let policy: Policy
  let limits: Limits
  /// How long askers wait; absent: not at all.
  let coolDowns: CoolDowns?
  let retention: RetentionRule

  /// Reads the main file, its drop-ins, the app entries and the policies; all of it is good, or the first fault is
  /// thrown.
  static func load(_ options: Options) throws(SettingsFault) -> Configuration {
    var reader = SettingsReader()
    let configuration = Configuration(options, &reader)
    if let fault = reader.faults.first { throw fault }
    return configuration
  }

  /// Reads all there is; only where `reader` has no fault in the end does it count.
  ///
  /// Only a file that nobody asked for by name may be absent. Drop-ins are `FILE.d/*.json5`; app entries and policies
  /// stand in `apps.d` and `policies.d` beside the file and in the share directory beside the program, where a file
  /// beside the main one wins over one of the same name.
  init(_ options: Options, _ reader: inout SettingsReader) {
    let file = options.configuration
    var administrators: Set<UserID> = []
    var limits = options.sandbox == nil ? Limits.standard : .sandbox
    var coolDowns = options.sandbox == nil ? CoolDowns.standard : nil
    var retention = RetentionRule()
    var choice = (policy: Policy.baseline.id, file: file)
    for path in [file] + reader.paths(in: file + ".d") {
      let isThere = reader.read(MainFile.self, at: path) { (part) throws(SettingsFault) in
        administrators = try part.administrators(in: path) ?? administrators
        if let policy = part.policy { choice = (policy, path) }
        part.limits?.apply(to: &limits)
        part.coolDowns?.apply(to: &coolDowns)
        part.retention?.apply(to: &retention)
      }
      guard !isThere, path == file, options.isConfigurationGiven else { continue }
      reader.object(SettingsFault(file, "there is no such file"))
    }
    let own = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let directories = [own, Self.shareDirectory]
    self.administrators = administrators
    self.limits = limits
    self.coolDowns = coolDowns
    self.retention = retention
    apps = AppRegistry(AppEntry.load(from: directories, &reader))
    policy = Policy.load(choice.policy, chosenIn: choice.file, from: directories, &reader)
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
  let administrators: [ConfiguredUser]?
  let policy: String?
  let limits: LimitsFile?
  let coolDowns: CoolDownsFile?
  let retention: RetentionFile?

  private enum CodingKeys: String, CodingKey, CaseIterable { case administrators, policy, limits, coolDowns, retention }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(CodingKeys.self)
    administrators = try members.decodeIfPresent([ConfiguredUser].self, forKey: .administrators)
    policy = try members.decodeIfPresent(String.self, forKey: .policy)
    limits = try members.decodeIfPresent(LimitsFile.self, forKey: .limits)
    coolDowns = try members.decodeIfPresent(CoolDownsFile.self, forKey: .coolDowns)
    retention = try members.decodeIfPresent(RetentionFile.self, forKey: .retention)
  }

  /// The administrators this file lists; `nil` where it says nothing of them.
  func administrators(in file: String) throws(SettingsFault) -> Set<UserID>? {
    guard let administrators else { return nil }
    return Set(try administrators.map { (user) throws(SettingsFault) in try user.uid(in: file, key: "administrators") })
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
  func uid(in file: String, key: String) throws(SettingsFault) -> UserID {
    switch self {
    case .uid(let uid): return uid
    case .login(let name):
      guard let uid = Accounts.uid(ofLogin: name) else {
        throw SettingsFault(file, key, "there is no user \(name)")
      }
      return uid
    }
  }
}
