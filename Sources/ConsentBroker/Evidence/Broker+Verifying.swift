// SPDX-License-Identifier: Apache-2.0
//
// Whether the audit is as it was written. A chain can be long, and the broker has one thread: it is followed a page at a
// time, and others have their turn between two pages. Entries that are added meanwhile are followed too, for one of them
// may say why an earlier one is empty.

package import ConsentModel
import ConsentStore

extension Broker {
  /// Entries that are read in one turn.
  private static let auditPage = 256

  /// Where the audit stands.
  package func auditHead() throws(Refusal) -> AuditHead { AuditHead(try read { try $0.auditHead() }) }

  /// Follows the audit from its start to its end, and against a head that somebody kept; `nil` where nobody waits for it
  /// any more.
  package func verifyAudit(
    against kept: AuditHead?, whileWanted isWanted: () -> Bool = { true }
  ) async throws(Refusal) -> AuditVerdict? {
    var verifier = AuditVerifier(kept: kept, sizeAtStart: try auditHead().size)
    var place = Int64.min
    while isWanted() {
      let page = try read { try $0.auditEntries(after: place, limit: Self.auditPage) }
      for row in page { verifier.take(StoredAuditEntry(row)) }
      guard let last = page.last, page.count == Self.auditPage, !verifier.isBroken else { return verifier.verdict() }
      place = last.seq
      await Task.yield()
    }
    return nil
  }

  /// Throws `notPermitted` unless the viewer is somebody's guardian.
  package func requireGuardian(_ viewer: Viewer) throws(Refusal) {
    guard try read({ try self.isGuardian(viewer, in: $0) }) else {
      throw .notPermitted(reason: "only administrators and guardians may look after the audit")
    }
  }
}
