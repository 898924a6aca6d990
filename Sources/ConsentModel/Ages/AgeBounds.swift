// SPDX-License-Identifier: Apache-2.0
//
// What is known about an age on a day. An age is never a number here but two bounds, because much of what people
// declare is no birth date. What is not known is absent, and absent is never read as old enough.

/// The bounds of an age in full years, both inclusive; an absent one is not known.
package struct AgeBounds: Hashable, Sendable {
  package let lower: Int?
  package let upper: Int?

  package init(lower: Int?, upper: Int?) {
    self.lower = lower
    self.upper = upper
  }

  static let unknown = AgeBounds(lower: nil, upper: nil)

  /// Whether the person is known to have reached an age.
  package func isAtLeast(_ age: Int) -> Bool { lower.map { $0 >= age } ?? false }

  /// The lower age of the two: bound by bound, an unknown lower bound being the lowest.
  func lowest(with other: AgeBounds) -> AgeBounds {
    let lower = [self.lower, other.lower].map { $0 ?? 0 }.min()
    let upper = [self.upper, other.upper].compactMap(\.self).min()
    return AgeBounds(lower: lower == 0 ? nil : lower, upper: upper)
  }
}
