// SPDX-License-Identifier: Apache-2.0
//
// What whoever looks after the machine does about a store that cannot be used. The daemon and consentctl say the same.
// Losing what was decided is never the first thing proposed, and always in words that can be undone.

extension StoreError {
  /// What to do where the store at `path` could not be opened. Nothing was changed.
  package func remedy(for path: String) -> String {
    switch self {
    case .newerSchema: "Install the consentd that wrote it, or set it aside: \(StoreError.settingAside(path, "newer"))"
    case .damaged, .foreign:
      "Nothing was changed. Look at it: consentctl store check \(Shell.word(path)). Put a backup in its place: "
        + "consentctl restore FILE --state-directory \(Shell.word(Draft.directory(of: path))). "
        + "Or set it aside to start with an empty store: \(StoreError.settingAside(path, "damaged"))"
    case .inUse: "Stop the other daemon first."
    case .full: "Make room on the file system of \(path)."
    case .exists: "Choose another name."
    case .cannotWrite(let file, _): "Look at the permissions of \(Draft.directory(of: file))."
    case .busy, .closed, .cannotOpen, .constraint, .failed:
      "Look at the permissions of \(path) and its directory."
    }
  }

  /// What to do where the store at `path` failed while it was in use.
  package func remedyInUse(for path: String) -> String? {
    switch self {
    case .damaged: "Look at it: consentctl store check \(Shell.word(path))."
    case .full: "Make room on the file system of \(path); it goes on by itself then."
    default: nil
    }
  }

  /// The log goes with its database: alone, it would be refused.
  private static func settingAside(_ path: String, _ name: String) -> String {
    ["", "-wal"].map { "mv \(Shell.word(path + $0)) \(Shell.word("\(path).\(name)\($0)"))" }.joined(separator: "; ")
  }
}

/// Words that can be typed as they are shown.
private enum Shell {
  /// `text` as one word of a shell's.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return isPlain ? text : "'\(parts.joined(separator: "'\\''"))'"
  }
}
