// SPDX-License-Identifier: Apache-2.0
//
// How long what was granted lasts, if nobody takes it back. `approveOnce` keeps no grant and needs no word.

/// The lifetime of a grant.
package enum GrantLifetime: String, CaseIterable, Sendable {
  /// Until it is revoked.
  case persistent
  /// Until an instant.
  case until

  package init(until: Instant?) { self = until == nil ? .persistent : .until }
}
