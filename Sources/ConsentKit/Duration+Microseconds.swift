// SPDX-License-Identifier: Apache-2.0
//
// Spans as Swift has them and as the wire has them. A span the wire cannot say is not cut to one it can: it becomes
// the longest there is, which the daemon then judges like any other. Instants stay as the wire has them, microseconds
// since the Unix epoch: what an app does with them is its own affair.

extension Duration {
  /// The whole microseconds of this span; the greatest number there is where they do not fit.
  var microseconds: Int64 {
    let whole = components.seconds.multipliedReportingOverflow(by: 1_000_000)
    let sum = whole.partialValue.addingReportingOverflow(components.attoseconds / 1_000_000_000_000)
    return whole.overflow || sum.overflow ? .max : sum.partialValue
  }
}
