// SPDX-License-Identifier: Apache-2.0
//
// `limits` in a file: any of the numbers, each within its range. What a file does not say stays as it was.

/// The limits that one file sets.
struct LimitsFile: Decodable {
  private let perUser: AllowanceFile?
  private let perService: AllowanceFile?
  private let total: AllowanceFile?

  private enum CodingKeys: String, CodingKey, CaseIterable { case perUser, perService, total }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(CodingKeys.self)
    perUser = try members.decodeIfPresent(AllowanceFile.self, forKey: .perUser)
    perService = try members.decodeIfPresent(AllowanceFile.self, forKey: .perService)
    total = try members.decodeIfPresent(AllowanceFile.self, forKey: .total)
  }

  /// Puts what the file says into `limits`.
  func apply(to limits: inout Limits) {
    perUser?.apply(to: &limits.perUser)
    perService?.apply(to: &limits.perService)
    total?.apply(to: &limits.total)
  }
}

/// The numbers that a file sets in one allowance.
private struct AllowanceFile: Decodable {
  private var values: [Key: Int] = [:]

  private enum Key: String, CodingKey, CaseIterable {
    case connections, waiting, openQuestions, queuedBytes, callsPerSecond, callBurst

    /// The number it names.
    var place: WritableKeyPath<Limits.Allowance, Int> {
      switch self {
      case .connections: \.connections
      case .waiting: \.waiting
      case .openQuestions: \.openQuestions
      case .queuedBytes: \.queuedBytes
      case .callsPerSecond: \.callsPerSecond
      case .callBurst: \.callBurst
      }
    }

    /// What the number may be. Fewer bytes than one session may queue both ways, and the longest message never arrives.
    var range: ClosedRange<Int> {
      switch self {
      case .connections, .waiting, .callsPerSecond, .callBurst: 1...1_000_000
      case .openQuestions: 1...1_000_000_000
      case .queuedBytes: (4 << 20)...(1 << 40)
      }
    }
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(Key.self)
    for key in Key.allCases {
      guard let value = try members.decodeIfPresent(Int.self, forKey: key) else { continue }
      guard key.range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: members, debugDescription: "from \(key.range.lowerBound) to \(key.range.upperBound)")
      }
      values[key] = value
    }
  }

  func apply(to allowance: inout Limits.Allowance) {
    for (key, value) in values { allowance[keyPath: key.place] = value }
  }
}
