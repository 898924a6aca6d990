// SPDX-License-Identifier: Apache-2.0
//
// One look at every file of a configuration. It goes on behind a file that is bad: whoever has three files to mend
// wants to hear of all three. What it gives counts only where it found no fault.

/// Reads files of settings, and keeps account of what it read and what it objects to.
struct SettingsReader {
  /// The files that were read, in that order.
  private(set) var files: [String] = []
  private(set) var faults: [SettingsFault] = []
  /// What is no fault and may still surprise somebody.
  private(set) var remarks: [String] = []

  /// Gives the value of a file to `use`; `false` where there is no such file. One that does not read, or that `use`
  /// objects to, is a fault.
  @discardableResult
  mutating func read<File: Decodable>(
    _ type: File.Type, at path: String, _ use: (File) throws(SettingsFault) -> Void
  ) -> Bool {
    do throws(SettingsFault) {
      guard let file = try SettingsFile.read(type, at: path) else { return false }
      files.append(path)
      try use(file)
    } catch {
      object(error)
    }
    return true
  }

  /// The paths of a directory's files, in the order of their names.
  mutating func paths(in directory: String) -> [String] {
    do throws(SettingsFault) {
      let names = try SettingsFile.names(in: directory)
      remarks += names.others.map { "\(directory)/\($0): not read, for its name does not end in .json5" }
      return names.files.map { "\(directory)/\($0)" }
    } catch {
      object(error)
      return []
    }
  }

  /// The paths of `folder`'s files below several directories, one for each name: the first directory that has it wins.
  mutating func paths(of folder: String, in directories: [String]) -> [String] {
    var found: [String: String] = [:]
    for directory in directories {
      for path in paths(in: "\(directory)/\(folder)") {
        let name = SettingsFile.name(of: path)
        if let winner = found[name] {
          remarks.append("\(path): not read, for \(winner) stands in its place")
        } else {
          found[name] = path
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Notes a fault.
  mutating func object(_ fault: SettingsFault) { faults.append(fault) }
}
