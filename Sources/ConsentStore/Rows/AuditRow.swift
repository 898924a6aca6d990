// SPDX-License-Identifier: Apache-2.0
//
// An entry of the audit chain as it is kept. What it says and the salt that hides it can be erased, together and with
// the names that find it; what commits to them and the hash of the chain stay.

/// One entry of the audit chain.
package struct AuditRow: Sendable, Equatable {
  /// Counts from 1 without a gap.
  package var seq: Int64
  /// Microseconds since the Unix epoch.
  package var at: Int64
  package var kind: String
  package var person: String?
  package var app: String?
  /// The JSON text of what happened; absent, like the salt, once erased.
  package var payload: String?
  package var salt: [UInt8]?
  package var commitment: [UInt8]
  package var hash: [UInt8]

  package init(
    seq: Int64, at: Int64, kind: String, person: String? = nil, app: String? = nil, payload: String?, salt: [UInt8]?,
    commitment: [UInt8], hash: [UInt8]
  ) {
    self.seq = seq
    self.at = at
    self.kind = kind
    self.person = person
    self.app = app
    self.payload = payload
    self.salt = salt
    self.commitment = commitment
    self.hash = hash
  }
}

extension AuditRow: Readable {
  static let columns = "seq, at, kind, person, app, payload, salt, commitment, hash"

  init(reading columns: inout Columns) throws(StoreError) {
    seq = try columns.next()
    at = try columns.next()
    kind = try columns.next()
    person = try columns.next()
    app = try columns.next()
    payload = try columns.next()
    salt = try columns.next()
    commitment = try columns.next()
    hash = try columns.next()
  }
}
