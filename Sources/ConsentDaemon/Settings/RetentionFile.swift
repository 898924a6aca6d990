// SPDX-License-Identifier: Apache-2.0
//
// `retention` in a file: for how many days what is over is kept, any of the classes. What a file does not say stays as
// it was.

import ConsentModel

/// The days that one file sets.
struct RetentionFile: Decodable {
  private var days: [Key: Int] = [:]

  private enum Key: String, CodingKey, CaseIterable {
    case eventsDays, questionsDays, grantsDays, auditDays

    /// The number it names.
    var place: WritableKeyPath<RetentionRule, Int> {
      switch self {
      case .eventsDays: \.eventsDays
      case .questionsDays: \.questionsDays
      case .grantsDays: \.grantsDays
      case .auditDays: \.auditDays
      }
    }
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.strictContainer(Key.self)
    let range = RetentionRule.range
    for key in Key.allCases {
      guard let value = try members.decodeIfPresent(Int.self, forKey: key) else { continue }
      guard range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: members, debugDescription: "from \(range.lowerBound) to \(range.upperBound)")
      }
      days[key] = value
    }
  }

  /// Puts what the file says into `rule`.
  func apply(to rule: inout RetentionRule) {
    for (key, value) in days { rule[keyPath: key.place] = value }
  }
}
