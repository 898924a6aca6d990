// SPDX-License-Identifier: Apache-2.0
//
// Whose word counts. Ages are told by birth years, on one day.

import Testing

@testable import ConsentModel

@Suite struct EffectiveAgeTests {
  private let today: CivilDate

  init() throws { today = try day("2026-10-01") }

  @Test func `nobody's word is no age`() throws {
    #expect(try age([], hasGuardian: false) == nil)
    #expect(try age([], hasGuardian: true) == nil)
  }

  /// Every pair of ranks, both ways round: the higher one decides, whether its age is the lower or the greater one.
  @Test func `the higher rank decides, upwards and downwards`() throws {
    let ranks = DeclarationSource.allCases.flatMap { source in Assurance.allCases.map { (source, $0) } }
    for (low, lower) in ranks.enumerated() {
      for higher in ranks[(low + 1)...] {
        for (lowerAge, higherAge) in [(20, 10), (10, 20)] {
          let declarations = [
            declaration(higher.0, "uid:1", higherAge, assurance: higher.1),
            declaration(lower.0, "uid:2", lowerAge, assurance: lower.1),
          ]
          let expected = AgeBounds(lower: higherAge, upper: higherAge)
          #expect(try age(declarations, hasGuardian: false)?.bounds == expected)
          #expect(try age(declarations.reversed(), hasGuardian: false)?.bounds == expected)
        }
      }
    }
  }

  @Test func `the order of ranks is the written one`() {
    #expect(
      DeclarationSource.allCases.sorted().map(\.rawValue)
        == ["selfDeclared", "serviceDeclared", "guardianDeclared", "administratorDeclared"])
    #expect(
      Assurance.allCases.sorted().map(\.rawValue)
        == ["none", "localAccount", "paymentChecked", "checkedByOtherMethod", "governmentIDChecked", "confirmed"])
  }

  @Test func `between two declarers of equal rank the lower age counts`() throws {
    let two = [declaration(.guardianDeclared, "uid:1", 16), declaration(.guardianDeclared, "uid:2", 12)]
    #expect(try age(two)?.bounds == AgeBounds(lower: 12, upper: 12))
    #expect(try age(two.reversed())?.bounds == AgeBounds(lower: 12, upper: 12))
  }

  @Test func `bounds of equal rank are lowered one by one`() throws {
    let two = [
      declaration(.guardianDeclared, "uid:1", bounds: (10, nil)), declaration(.guardianDeclared, "uid:2", 12),
    ]
    #expect(try age(two)?.bounds == AgeBounds(lower: 10, upper: 12))
    let open = [
      declaration(.guardianDeclared, "uid:1", bounds: (nil, 20)),
      declaration(.guardianDeclared, "uid:2", bounds: (18, nil)),
    ]
    #expect(try age(open)?.bounds == AgeBounds(lower: nil, upper: 20))
  }

  @Test(arguments: [(12, 20), (20, 12)])
  func `a declarer's newer word replaces their own, in both directions`(earlier: Int, later: Int) throws {
    let words = [
      declaration(.guardianDeclared, "uid:1", earlier, at: 1), declaration(.guardianDeclared, "uid:1", later, at: 2),
    ]
    let expected = AgeBounds(lower: later, upper: later)
    #expect(try age(words)?.bounds == expected)
    #expect(try age(words.reversed())?.bounds == expected)
    #expect(try age(words)?.declaredAt == Instant(usec: 2))
  }

  @Test func `of two words at one instant the later given counts`() throws {
    let words = [declaration(.guardianDeclared, "uid:1", 12), declaration(.guardianDeclared, "uid:1", 14)]
    #expect(try age(words)?.bounds == AgeBounds(lower: 14, upper: 14))
  }

  @Test func `a newer word of lower assurance still replaces the declarer's own`() throws {
    let words = [
      declaration(.guardianDeclared, "uid:1", 20, assurance: .confirmed, at: 1),
      declaration(.guardianDeclared, "uid:1", 12, assurance: .unchecked, at: 2),
    ]
    #expect(try age(words)?.bounds == AgeBounds(lower: 12, upper: 12))
  }

  @Test func `the same declarer in another capacity is another word`() throws {
    let words = [
      declaration(.administratorDeclared, "uid:0", 20, at: 1), declaration(.guardianDeclared, "uid:0", 12, at: 2),
    ]
    #expect(try age(words)?.source == .administratorDeclared)
  }

  @Test func `a self-declared age counts for a person without guardians`() throws {
    let own = [declaration(.selfDeclared, "uid:7", 30)]
    #expect(try age(own, hasGuardian: false)?.bounds.isAtLeast(18) == true)
  }

  @Test func `a self-declared age widens nothing while a guardian is enrolled`() throws {
    for years in 0...100 {
      let own = try age([declaration(.selfDeclared, "uid:7", years)], hasGuardian: true)
      #expect(own?.bounds == AgeBounds(lower: nil, upper: years))
      #expect(own?.bounds.isAtLeast(18) == false)
    }
    #expect(try age([declaration(.selfDeclared, "uid:7", bounds: (18, nil))], hasGuardian: true) == nil)
  }

  @Test func `a self-declared age never outranks a guardian's`() throws {
    let words = [
      declaration(.selfDeclared, "uid:7", 40, assurance: .confirmed, at: 9),
      declaration(.guardianDeclared, "uid:1", 12, assurance: .unchecked, at: 1),
    ]
    for hasGuardian in [true, false] {
      #expect(try age(words, hasGuardian: hasGuardian)?.bounds == AgeBounds(lower: 12, upper: 12))
    }
  }

  @Test(
    arguments: [
      ("policyDeclared", "none", "1990-01-01", nil), ("", "none", "1990-01-01", nil),
      ("administratorDeclared", "notarised", "1990-01-01", nil), ("administratorDeclared", "none", "1990-13-01", nil),
      ("administratorDeclared", "none", "1850-01-01", nil), ("administratorDeclared", "none", nil, .max),
      ("administratorDeclared", "none", nil, nil),
    ] as [(String, String, String?, Int64?)])
  func `one declaration that cannot be read makes the age unknown`(
    source: String, assurance: String, birth: String?, lower: Int64?
  ) throws {
    let unreadable = Declaration(
      source: source, assurance: assurance, declaredBy: "uid:0", birthDate: birth, lowerBound: lower, upperBound: nil,
      asOfDate: lower == nil ? nil : "2026-01-01", declaredAt: Instant(usec: 0))
    #expect(unreadable == nil)
    #expect(try age([unreadable], hasGuardian: false) == nil)
    #expect(try age([declaration(.administratorDeclared, "uid:1", 30), unreadable], hasGuardian: false) == nil)
  }

  private func age(_ declarations: [Declaration?], hasGuardian: Bool = true) throws -> EffectiveAge? {
    EffectiveAge(of: declarations, on: today, hasGuardian: hasGuardian)
  }

  private func declaration(
    _ source: DeclarationSource, _ declarer: String, _ years: Int, assurance: Assurance = .localAccount, at: Int64 = 0
  ) -> Declaration? {
    Declaration(
      source: source.rawValue, assurance: assurance.rawValue, declaredBy: declarer,
      birthDate: "\(today.year - years)-01-15", lowerBound: nil, upperBound: nil, asOfDate: nil,
      declaredAt: Instant(usec: at))
  }

  private func declaration(
    _ source: DeclarationSource, _ declarer: String, bounds: (Int64?, Int64?)
  ) -> Declaration? {
    Declaration(
      source: source.rawValue, assurance: Assurance.localAccount.rawValue, declaredBy: declarer, birthDate: nil,
      lowerBound: bounds.0, upperBound: bounds.1, asOfDate: today.description, declaredAt: Instant(usec: 0))
  }
}
