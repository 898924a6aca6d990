// SPDX-License-Identifier: Apache-2.0
//
// Reading one file that a person wrote: JSON5, every key known, every error with its place.

import FoundationEssentials
import Glibc

/// Files of settings.
enum SettingsFile {
  /// The value in a file; `nil` where there is none. Throws a fault that names file, place and reason.
  static func read<Value: Decodable>(_ type: Value.Type, at path: String) throws(Fault) -> Value? {
    guard try isThere(path) else { return nil }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(type, from: Data(contentsOf: URL(filePath: path)))
    } catch let error as DecodingError {
      throw .configuration("\(path): \(error.placeAndReason)")
    } catch {
      throw .configuration("\(path): cannot be read")
    }
  }

  /// The names of the JSON5 files in a directory, sorted; none where there is no directory.
  static func names(in directory: String) throws(Fault) -> [String] {
    guard try isThere(directory) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".json5") }.sorted()
    } catch {
      throw .configuration("\(directory): cannot be read")
    }
  }

  /// Whether something stands at a path. What cannot be looked at is a fault: a rule that nobody can read must not pass
  /// for one that nobody made.
  private static func isThere(_ path: String) throws(Fault) -> Bool {
    guard access(path, R_OK) != 0 else { return true }
    guard errno != ENOENT else { return false }
    throw .configuration("\(path): cannot be read: \(String(cString: strerror(errno)))")
  }

  /// The paths of `folder`'s files below several directories, one for each name: the first directory that has it wins.
  static func paths(of folder: String, in directories: [String]) throws(Fault) -> [String] {
    var found: [String: String] = [:]
    for directory in directories.reversed() {
      for name in try names(in: "\(directory)/\(folder)") { found[name] = "\(directory)/\(folder)/\(name)" }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }
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
  /// The place inside the file, and what is wrong there.
  fileprivate var placeAndReason: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.line
    case .keyNotFound(let key, let context):
      DecodingError.Context(codingPath: context.codingPath + [key], debugDescription: "missing").line
    @unknown default: "cannot be read"
    }
  }
}

extension DecodingError.Context {
  fileprivate var line: String {
    let place = codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    let reason =
      (underlyingError as? any CustomStringConvertible).map { "\(debugDescription) \($0)" } ?? debugDescription
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}
