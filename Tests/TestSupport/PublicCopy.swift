// SPDX-License-Identifier: Apache-2.0
//
// Programs that other users run. A checkout may lie where only its owner can look (a root user's home), so a program
// that another user shall execute is copied to a place everybody can reach, once, and only where that is needed.

internal import Foundation
internal import Glibc
internal import Synchronization

/// A copy of this package's programs that every user may execute.
enum PublicCopy {
  private static let copied = Mutex<[String: String]>([:])

  /// The path under which every user may execute the program at `path`.
  static func path(of path: String) throws -> String {
    if isReachable(path) { return path }
    return try copied.withLock { known in
      if let copy = known[path] { return copy }
      let copy = try make(of: path)
      known[path] = copy
      return copy
    }
  }

  /// Whether every directory on the way to `path` lets everybody through.
  private static func isReachable(_ path: String) -> Bool {
    var place = ""
    return path.split(separator: "/").allSatisfy { part in
      place += "/\(part)"
      var status = stat()
      return stat(place, &status) == 0 && status.st_mode & S_IXOTH != 0
    }
  }

  private static func make(of path: String) throws -> String {
    let place = "/tmp/consentd-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let copy = "\(place)/\(path.split(separator: "/").last ?? "")"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    chmod(place, 0o755)
    chmod(copy, 0o755)
    leftovers.withLock { $0.append(place) }
    atexit { for place in leftovers.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: place) } }
    return copy
  }
}

private let leftovers = Mutex<[String]>([])
