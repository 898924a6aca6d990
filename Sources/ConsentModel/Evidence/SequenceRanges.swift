// SPDX-License-Identifier: Apache-2.0
//
// Which entries an erasure emptied, said shortly: a person's entries lie in runs, and what is older than is kept is one
// run. On the wire a run is a pair of sequences, both of them in it.

package import StrictJSON

/// A set of sequences, as runs in order that neither touch nor overlap.
package struct SequenceRanges: Sendable, Equatable {
  package private(set) var runs: [ClosedRange<Int64>] = []

  /// The set of these sequences, in any order.
  package init(_ sequences: some Sequence<Int64> = []) {
    self.init(runs: sequences.map { $0...$0 })
  }

  /// The set of everything in `runs`, in any order.
  package init(runs: [ClosedRange<Int64>]) {
    for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(run) }
  }

  package var isEmpty: Bool { runs.isEmpty }

  /// How many sequences there are in here.
  package var count: Int64 { runs.reduce(0) { $0 + ($1.upperBound - $1.lowerBound + 1) } }

  /// Adds a run that starts at none of those there are or behind.
  package mutating func append(_ run: ClosedRange<Int64>) {
    guard let last = runs.last, run.lowerBound - 1 <= last.upperBound else { return runs.append(run) }
    runs[runs.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
  }

  /// The first sequence that is in here and not in `other`.
  package func first(outside other: SequenceRanges) -> Int64? {
    var covers = other.runs[...]
    for run in runs {
      covers = covers.drop { $0.upperBound < run.lowerBound }
      guard let cover = covers.first, cover.lowerBound <= run.lowerBound else { return run.lowerBound }
      if cover.upperBound < run.upperBound { return cover.upperBound + 1 }
    }
    return nil
  }

  /// `[[1, 7], [9, 9]]`.
  package var json: JSON {
    .array(runs.map { [.integer($0.lowerBound), .integer($0.upperBound)] })
  }

  /// Reads what `json` wrote; a pair that does not read is left out, which excuses nothing.
  package init(json: JSON?) {
    self.init(
      runs: (json?.array ?? []).compactMap { pair in
        guard let ends = pair.array?.compactMap(\.integer), ends.count == 2, 1 <= ends[0], ends[0] <= ends[1] else {
          return nil
        }
        return ends[0]...ends[1]
      })
  }
}
