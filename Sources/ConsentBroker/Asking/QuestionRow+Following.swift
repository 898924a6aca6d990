// SPDX-License-Identifier: Apache-2.0
//
// From a question to the one that stands in its place now, as far as that asks the same.

import ConsentModel
import ConsentStore

extension QuestionRow {
  /// The last question in this one's place that asks what this one was asked for, itself where there is none. Earlier
  /// changes that this one took along are others' business.
  func followed(in rows: any StoreReader) throws -> QuestionRow {
    guard ending?.successor != nil, erasedAt == nil else { return self }
    let subject = try storedContent.topic.subject
    var last = self
    var seen: Set<String> = [id]
    while let next = last.ending?.successor, seen.insert(next).inserted, let row = try rows.question(next),
      try row.asks(subject)
    {
      last = row
    }
    return last
  }

  /// Whether the question asks every item of a topic.
  func asks(_ subject: Subject) throws -> Bool {
    try erasedAt == nil && Set(storedContent.topic.items).isSuperset(of: subject.items)
  }
}
