// SPDX-License-Identifier: Apache-2.0
//
// The one age that counts among everything declared (design, rule 9): the highest rank wins; a declarer's new word
// replaces their own earlier one; between different declarers of the same rank it is the lower age.
//
// Two things never widen what a person may: a self-declared age while a guardian is enrolled (its lower bound is
// dropped), and a declaration that cannot be read (the age is unknown then, since it might have been the one that
// counts).

/// The age that counts on a day, and on whose word.
package struct EffectiveAge: Equatable, Sendable {
  package let bounds: AgeBounds
  package let source: DeclarationSource
  package let assurance: Assurance
  /// When the newest of the declarations that made it was given.
  package let declaredAt: Instant

  /// `nil` where the age is unknown. `declarations` are the live ones, in the order they were given, `nil` for one
  /// that could not be read; `hasGuardian`: any guardian is enrolled.
  package init?(of declarations: [Declaration?], on today: CivilDate, hasGuardian: Bool) {
    let readable = declarations.compactMap(\.self)
    guard readable.count == declarations.count else { return nil }
    let current = EffectiveAge.newestOfEachDeclarer(readable)
    guard let highest = current.map(\.rank).max() else { return nil }
    let deciding = current.filter { $0.rank == highest }
    let bounds = deciding.map { $0.age.bounds(on: today) }
    guard let first = bounds.first, let newest = deciding.map(\.declaredAt).max() else { return nil }
    let lowest = bounds.dropFirst().reduce(first) { $0.lowest(with: $1) }
    let isOwnWord = highest.source == .selfDeclared && hasGuardian
    self.bounds = AgeBounds(lower: isOwnWord ? nil : lowest.lower, upper: lowest.upper)
    source = highest.source
    assurance = highest.assurance
    declaredAt = newest
    guard self.bounds != .unknown else { return nil }
  }

  /// A declarer speaks once in each capacity: the newest counts, the later of two at the same instant.
  private static func newestOfEachDeclarer(_ declarations: [Declaration]) -> [Declaration] {
    declarations.enumerated().filter { index, declaration in
      !declarations.enumerated().contains { otherIndex, other in
        other.rank.source == declaration.rank.source && other.declaredBy.isExactly(declaration.declaredBy)
          && (other.declaredAt, otherIndex) > (declaration.declaredAt, index)
      }
    }.map(\.element)
  }
}
