// SPDX-License-Identifier: Apache-2.0
//
// Reading one file that a person wrote: JSON5, every key known, every error with its place.

import FoundationEssentials
import Glibc

/// Files of settings.
enum SettingsFile {
  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20

  /// The value in a file; `nil` where there is none. Throws a fault that names file, place and reason.
  static func read<Value: Decodable>(_ type: Value.Type, at path: String) throws(SettingsFault) -> Value? {
    guard let status = try status(of: path) else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SettingsFault(path, "cannot be read: it is no regular file") }
    guard status.st_size <= limit else { throw SettingsFault(path, "longer than \(limit) bytes") }
    guard access(path, R_OK) == 0, let text = try? Data(contentsOf: URL(filePath: path)) else {
      throw SettingsFault(path, "cannot be read: \(String(cString: strerror(errno)))")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(type, from: text)
    } catch let error as DecodingError {
      throw error.fault(of: path, Array(text))
    } catch {
      throw SettingsFault(path, "cannot be read")
    }
  }

  /// The names in a directory, sorted: the JSON5 files, and the rest. None where there is no directory.
  static func names(in directory: String) throws(SettingsFault) -> (files: [String], others: [String]) {
    guard try status(of: directory) != nil else { return ([], []) }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory).sorted() else {
      throw SettingsFault(directory, "cannot be read")
    }
    return (names.filter { $0.hasSuffix(".json5") }, names.filter { !$0.hasSuffix(".json5") })
  }

  /// What stands at a path, if anything. What cannot be looked at, such as a link to nowhere, is a fault: a rule that
  /// nobody can read must not pass for one that nobody made.
  private static func status(of path: String) throws(SettingsFault) -> stat? {
    var found = stat()
    guard stat(path, &found) != 0 else { return found }
    let reason = errno
    if reason == ENOENT, lstat(path, &found) != 0, errno == ENOENT { return nil }
    throw SettingsFault(path, "cannot be read: \(String(cString: strerror(reason)))")
  }

  /// The last part of a path.
  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Decoder {
  /// The members of an object in which no other key may stand.
  func strictContainer<Key: CodingKey & CaseIterable>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let known = Set(keys.allCases.map(\.stringValue))
    for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath + [key],
          debugDescription: "unknown key; known: \(known.sorted().joined(separator: ", "))"))
    }
    return try container(keyedBy: keys)
  }
}

/// A key as it stands in the file.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension DecodingError {
  /// The fault that a file of this content has. Of a text that is no JSON5 Foundation says neither line nor reason.
  fileprivate func fault(of file: String, _ text: [UInt8]) -> SettingsFault {
    switch self {
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      let fault = SyntaxFault(in: text)
      return SettingsFault(file, fault?.place ?? "", fault?.reason ?? context.debugDescription)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return SettingsFault(file, Self.place(context.codingPath), context.debugDescription)
    case .keyNotFound(let key, let context):
      return SettingsFault(file, Self.place(context.codingPath + [key]), "missing")
    @unknown default: return SettingsFault(file, "cannot be read")
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
