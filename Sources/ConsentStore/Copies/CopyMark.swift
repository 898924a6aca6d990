// SPDX-License-Identifier: Apache-2.0
//
// What a copy says about itself, and what a daemon does that finds it in its store: since the copy was made, another
// daemon may have handed out sequences that the copy knows nothing of, and apps remember them. So every asker's count
// jumps ahead, further than anybody can have counted meanwhile, and askers the copy does not know begin there too.
//
// The marks are numbers in decimal digits in `meta`. They are cleared in the transaction that jumps.

import CSQLite

/// The marks of a copy.
enum CopyMark {
  /// When the copy was made, microseconds since the Unix epoch.
  fileprivate static let takenAt = "copyTakenAtUSec"
  /// The highest sequence that is known to have been handed out by the store a copy was installed over.
  fileprivate static let reached = "copySequenceReached"
  /// The sequence behind which an asker starts that is new.
  static let floor = "sequenceFloor"

  /// How far the count of every asker jumps at least.
  static let margin: Int64 = 1_000_000
  /// How far it jumps for each second that has passed since the copy: more events than one asker can cause in it.
  static let perSecond: Int64 = 10_000

  /// Marks the copy at `path`, in a transaction that is flushed. An earlier instant that stands there stays.
  static func set(in path: String, takenAtUSec: Int64, reached: Int64 = 0) throws(StoreError) {
    let database = try Database(path: path, mode: .writing)
    try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL")
    let connection = Connection(database)
    try connection.control(.begin)
    if try connection.number(takenAt) == nil { try connection.setNumber(takenAt, takenAtUSec) }
    try connection.setNumber(CopyMark.reached, max(reached, try connection.number(CopyMark.reached) ?? 0))
    try connection.control(.commit)
  }
}

/// What a daemon found in its store and did about it.
package struct TakenUpCopy: Sendable, Equatable {
  /// When the copy was made, microseconds since the Unix epoch.
  package let takenAtUSec: Int64
  /// By how much every asker's sequence went ahead at least.
  package let jump: Int64
}

extension SQL {
  /// The sequence behind which a new asker starts, as an expression.
  static let sequenceFloor = highest(of: [CopyMark.floor])
  /// The highest sequence a store knows of.
  static let newestSequence = SQL(
    """
    SELECT max(coalesce((SELECT max(last_sequence) FROM asker), 0),
      \(highest(of: [CopyMark.floor, CopyMark.reached])))
    """)
  fileprivate static let jump = SQL("UPDATE asker SET last_sequence = max(last_sequence + ?, ?)")
  fileprivate static let clearMarks = SQL("DELETE FROM meta WHERE key IN (?, ?)")

  private static func highest(of keys: [String]) -> String {
    let names = keys.map { "'\($0)'" }.joined(separator: ", ")
    return "coalesce((SELECT max(CAST(CAST(value AS TEXT) AS INTEGER)) FROM meta WHERE key IN (\(names))), 0)"
  }
}

extension Connection {
  func takeUpCopy(nowUSec: Int64) throws(StoreError) -> TakenUpCopy? {
    guard let takenAt = try number(CopyMark.takenAt) else { return nil }
    let (elapsed, overflows) = nowUSec.subtractingReportingOverflow(takenAt)
    let jump = CopyMark.margin + (overflows ? 0 : max(0, elapsed / 1_000_000) * CopyMark.perSecond)
    let beyond = (try number(CopyMark.reached) ?? 0) + CopyMark.margin
    try change(.jump, jump, beyond)
    try setNumber(CopyMark.floor, max((try number(CopyMark.floor) ?? 0) + jump, beyond))
    try change(.clearMarks, CopyMark.takenAt, CopyMark.reached)
    return TakenUpCopy(takenAtUSec: takenAt, jump: jump)
  }

  /// When the copy was made that this store still is.
  func takenAtUSec() throws(StoreError) -> Int64? { try number(CopyMark.takenAt) }

  /// The number under a key of `meta`.
  fileprivate func number(_ key: String) throws(StoreError) -> Int64? {
    guard let bytes = try meta(key) else { return nil }
    guard let number = Int64(String(decoding: bytes, as: UTF8.self)), (0...Int64.max / 4).contains(number) else {
      throw .damaged(detail: "its \(key) does not read")
    }
    return number
  }

  fileprivate func setNumber(_ key: String, _ number: Int64) throws(StoreError) {
    try setMeta(key, Array("\(number)".utf8))
  }
}
