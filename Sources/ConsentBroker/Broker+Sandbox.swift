// SPDX-License-Identifier: Apache-2.0
//
// What only a sandbox's clock needs.

package import ConsentModel

extension Broker {
  /// Keeps how far the clocks were moved, in microseconds, so that a restart does not turn them back.
  package func keepClockOffset(_ usec: Int64) async throws(Refusal) {
    try await commit { try Keepsake.setClockOffset(usec, in: $0.rows) }
  }
}
