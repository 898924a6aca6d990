// SPDX-License-Identifier: Apache-2.0
//
// A declaration: an age, who set it, and how strongly it was checked. The two words rank it against others (design,
// rule 9). One that cannot be read is `nil` and stays in the list it stood in: it may have been the one that counts.

/// Words that are declared in rising rank.
package protocol RankedWord: CaseIterable, Comparable, RawRepresentable where RawValue == String {}

extension RankedWord {
  private var rank: Int { Self.allCases.prefix { $0 != self }.count }

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// Who set an age, in rising rank.
package enum DeclarationSource: String, RankedWord, Sendable {
  case selfDeclared, serviceDeclared, guardianDeclared, administratorDeclared
}

/// How strongly an age was checked, in rising rank: not at all, by having an account, by a payment, by a method that
/// is not named, by a document, or confirmed against more than one.
package enum Assurance: String, RankedWord, Sendable {
  case unchecked = "none"
  case localAccount, paymentChecked, checkedByOtherMethod, governmentIDChecked, confirmed
}

/// The rank of a declaration: its source, then its assurance.
package struct DeclarationRank: Comparable, Sendable {
  package let source: DeclarationSource
  package let assurance: Assurance

  package static func < (left: DeclarationRank, right: DeclarationRank) -> Bool {
    (left.source, left.assurance) < (right.source, right.assurance)
  }
}

/// A live declaration.
package struct Declaration: Sendable {
  package let rank: DeclarationRank
  /// The declarer, in whatever form the store keeps: equal texts are one declarer.
  package let declaredBy: String
  package let age: DeclaredAge
  package let declaredAt: Instant

  /// Reads a stored declaration; `nil` where it is in words this version does not know, or damaged.
  package init?(
    source: String, assurance: String, declaredBy: String, birthDate: String?, lowerBound: Int64?,
    upperBound: Int64?, asOfDate: String?, declaredAt: Instant
  ) {
    guard let source = DeclarationSource(exactly: source), let assurance = Assurance(exactly: assurance),
      let age = try? DeclaredAge(
        birthDate: birthDate, lowerBound: lowerBound, upperBound: upperBound, asOfDate: asOfDate)
    else { return nil }
    rank = DeclarationRank(source: source, assurance: assurance)
    self.declaredBy = declaredBy
    self.age = age
    self.declaredAt = declaredAt
  }
}
