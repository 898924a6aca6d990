// SPDX-License-Identifier: Apache-2.0
//
// What is said about the store as a whole. A copy that was put in place is never called more than it is: everything up
// to its instant, and nothing after.

import ConsentStore

extension Messages {
  static let chooseAnotherName = "Choose another name, or replace it with --force."
  /// What became of a backup that was not moved out of the state directory.
  static func notMoved(_ place: String, isGone: Bool) -> String {
    isGone
      ? "There is no backup, and nothing was left behind."
      : "The backup was made and is still at \(plain(place)): only who may read that directory can move it away. "
        + "As root: consentctl backup FILE, and rm \(plain(place))"
  }

  static func backedUp(_ file: String, _ bytes: Int64, _ takenAtUSec: Int64) -> String {
    "\(plain(file)) has everything up to \(Moment.text(usec: takenAtUSec)), \(bytes) bytes. "
      + "Check it: consentctl store check \(plain(file))"
  }

  /// What stands after a restoration, and what to do next.
  static func restored(_ store: String, _ takenAtUSec: Int64, _ setAside: String?) -> [String] {
    [
      "\(plain(store)) has everything up to \(Moment.text(usec: takenAtUSec)) and nothing that happened later: "
        + "approvals that were revoked since then count again until they are revoked again.",
      setAside.map { "The store that was there is now \(plain($0))." } ?? "There was no store before.",
      "Start consentd: systemctl start consentd.target",
    ]
  }

  /// Why a copy was not put in place.
  static func notRestored(_ error: StoreError) -> String {
    switch error {
    case .inUse: "Stop consentd first, its sockets with it, or the next app starts it: systemctl stop consentd.target"
    default: "Nothing was changed."
    }
  }

  /// What was looked at, and what is wrong.
  static func checked(_ report: StoreReport, _ output: Output) -> [String] {
    let copy = report.takenAtUSec.map { ", a backup of \(Moment.text(usec: $0))" } ?? ""
    let head = "\(plain(report.file)): a store of consentd, schema version \(report.schemaVersion)\(copy)"
    let lines = report.findings.flatMap { finding in
      let word = finding.problems.isEmpty ? output.styled("yes", .green) : output.styled("NO", .red)
      return ["\(word)  \(finding.check)"] + finding.problems.map { "      \(plain($0))" }
    }
    return [head] + lines + [report.problems.isEmpty ? "Nothing is wrong." : unsound]
  }

  private static let unsound =
    "Nothing was changed. Stop consentd and put a backup in its place: consentctl restore FILE. What is there stays "
    + "under another name."
}
