// SPDX-License-Identifier: Apache-2.0
//
// Gates and the bands between them.

import Testing

@testable import ConsentModel

@Suite struct GatesTests {
  @Test(arguments: [[13], [2], [120], [13, 16, 18], [2, 4, 6], [116, 118, 120], [13, 15]] as [[Int64]])
  func `gates far enough apart are taken`(gates: [Int64]) throws {
    #expect(try Gates(gates).ages.map(Int64.init) == gates)
  }

  @Test(
    arguments: [
      ([], 0), ([1], 1), ([0], 0), ([-5], -5), ([121], 121), ([.max], .max), ([.min], .min), ([13, 13], 13),
      ([13, 14], 14),
      ([16, 13], 13), ([13, 16, 17], 17), ([13, 16, 18, 21], 21), ([13, .max], .max), ([.min, .max], .min),
      ([13, 16, 18, .min], .min), ([17, 19, 18], 18),
    ] as [([Int64], Int64)])
  func `the gate that is wrong is named`(gates: [Int64], wrong: Int64) {
    let error = #expect(throws: GateError.self) { try Gates(gates) }
    #expect(error?.gate == wrong)
  }

  @Test func `the baseline's gates keep the rules`() throws {
    #expect(try Gates([13, 16, 18]) == .baseline)
  }
}

@Suite struct AgeRangeTests {
  /// Ages 0 to 120 at the gates 13, 16, 18: the first age of each band, and the band.
  private static let bands: [(ages: ClosedRange<Int>, lower: Int?, upper: Int?, reached: [Bool])] = [
    (0...12, nil, 12, [false, false, false]), (13...15, 13, 15, [true, false, false]),
    (16...17, 16, 17, [true, true, false]), (18...120, 18, nil, [true, true, true]),
  ]

  @Test func `an age from 0 to 120 falls into one of the four bands of 13, 16 and 18`() throws {
    for band in AgeRangeTests.bands {
      for age in band.ages {
        let range = try #require(AgeRange(AgeBounds(lower: age, upper: age), gates: .baseline))
        #expect(range.lowerBound == band.lower, "age \(age)")
        #expect(range.upperBound == band.upper, "age \(age)")
        #expect(range.verdicts.map(\.atLeast) == band.reached, "age \(age)")
        #expect(range.verdicts.map(\.gate) == [13, 16, 18])
      }
    }
  }

  @Test func `a gate at 13 alone makes no adult of anybody`() throws {
    let range = try #require(AgeRange(AgeBounds(lower: 15, upper: 15), gates: Gates([13])))
    #expect(range.lowerBound == 13)
    #expect(range.upperBound == nil)
    #expect(range.verdicts == [AgeRange.Verdict(gate: 13, atLeast: true)])
  }

  @Test func `an unknown age is no range`() {
    #expect(AgeRange(.unknown, gates: .baseline) == nil)
  }

  @Test(
    arguments: [
      (12, 13, nil, 15, [false, false, false]), (15, 16, 13, 17, [true, false, false]),
      (12, nil, nil, nil, nil), (nil, 18, nil, nil, nil), (nil, 12, nil, 12, [false, false, false]),
      (nil, 17, nil, 17, [false, false, false]), (13, nil, 13, nil, [true, false, false]),
      (18, nil, 18, nil, [true, true, true]), (5, 30, nil, nil, nil),
    ] as [(Int?, Int?, Int?, Int?, [Bool]?)])
  func `an age known roughly gives the bands it spans`(
    lower: Int?, upper: Int?, lowerBound: Int?, upperBound: Int?, reached: [Bool]?
  ) {
    let range = AgeRange(AgeBounds(lower: lower, upper: upper), gates: .baseline)
    #expect(range?.lowerBound == lowerBound)
    #expect(range?.upperBound == upperBound)
    #expect(range?.verdicts.map(\.atLeast) == reached)
  }

  /// Whatever is known and whatever the gates are: the range holds the age, and no verdict claims what is not known.
  @Test func `a range never claims more than is known`() throws {
    for gates in try [[2], [13], [18], [120], [13, 16, 18], [2, 61, 120]].map({ try Gates($0) }) {
      for lower in 0...121 {
        for upper in lower...121 {
          guard let range = AgeRange(AgeBounds(lower: lower, upper: upper), gates: gates) else { continue }
          #expect(range.lowerBound ?? 0 <= lower && upper <= range.upperBound ?? .max)
          #expect(range.verdicts.allSatisfy { $0.atLeast == (lower >= $0.gate) })
        }
      }
    }
  }

  @Test(
    arguments: [(nil, nil, false), (nil, 30, false), (17, 30, false), (18, nil, true), (18, 18, true), (0, 0, false)]
      as [(Int?, Int?, Bool)])
  func `only a known lower bound of 18 makes an adult`(lower: Int?, upper: Int?, isAdult: Bool) {
    #expect(AgeBounds(lower: lower, upper: upper).isAtLeast(18) == isAdult)
  }
}
