// SPDX-License-Identifier: Apache-2.0
//
// Bytes as the list, or not at all: one byte that is not as it was written, and nothing of it is used.

import ConsentInterface
import ConsentModel
import StrictJSON
import Varlink

/// Why a handover does not read.
enum HandoverError: Error, Equatable, CustomStringConvertible {
  /// Another version wrote it, or something else altogether.
  case unknownVersion
  /// It is not what was written, or not all of it.
  case damaged

  var description: String {
    switch self {
    case .unknownVersion: "it was written by a version that this one does not know"
    case .damaged: "it is damaged"
    }
  }
}

extension Handover {
  private static let digestBytes = 32

  /// Reads what `encoded` wrote.
  init(parsing bytes: [UInt8]) throws(HandoverError) {
    guard bytes.starts(with: Self.magic) else { throw .unknownVersion }
    let rest = bytes.dropFirst(Self.magic.count)
    let body = rest.dropFirst(Self.digestBytes)
    guard Sodium.sha256(body).elementsEqual(rest.prefix(Self.digestBytes)) else { throw .damaged }
    self.init()
    var records = Records(rest: body)
    while true {
      let words = try records.nextWords()
      if let count = words["connections"] {
        guard count == .integer(Int64(entries.count)), records.rest.isEmpty else { throw .damaged }
        return
      }
      entries.append(try Entry(words, &records))
    }
  }

  /// What is still to be read.
  fileprivate struct Records {
    var rest: ArraySlice<UInt8>

    mutating func nextWords() throws(HandoverError) -> JSONObject {
      guard let end = rest.firstIndex(of: 0), let words = try? JSONObject(parsing: Array(rest[..<end])) else {
        throw .damaged
      }
      rest = rest[(end + 1)...]
      return words
    }

    mutating func nextBytes(_ count: JSON?) throws(HandoverError) -> [UInt8] {
      guard let count = count?.integer, (0...Int64(rest.count)).contains(count) else { throw .damaged }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
  }
}

extension Handover.Entry {
  fileprivate init(_ words: JSONObject, _ records: inout Handover.Records) throws(HandoverError) {
    guard let role = words["role"]?.string.flatMap(SocketRole.init(rawValue:)) else { throw .damaged }
    self.role = role
    remainder = ServerSession.Remainder(
      input: try records.nextBytes(words["input"]), output: try records.nextBytes(words["output"]),
      inputEnded: words["inputEnded"] == true)
    resumption = try Resumption(words)
  }
}

extension Resumption {
  /// Reads the one that stands in a record; `nil` where there is none.
  fileprivate init?(_ words: JSONObject) throws(HandoverError) {
    if let json = words["wait"] {
      self = .waiting(try found(Wait(json.object ?? [:])))
    } else if let json = words["follow"] {
      self = .following(try found(Following(json.object ?? [:])))
    } else if let json = words["watch"] {
      self = .watching(try found(Watching(json.object ?? [:])))
    } else {
      return nil
    }
  }
}

/// Passes on what was read.
private func found<Value>(_ value: Value?) throws(HandoverError) -> Value {
  guard let value else { throw .damaged }
  return value
}

extension Resumption.Wait {
  fileprivate init?(_ json: JSONObject) {
    guard
      let question = json["question"]?.string.flatMap({ QuestionID($0) }), let joined = json["joined"]?.bool,
      let until = json["untilBootUSec"]?.integer
    else { return nil }
    self.init(question: question, joined: joined, untilBootUSec: until)
  }
}

extension Resumption.Following {
  fileprivate init?(_ json: JSONObject) {
    guard
      let after = json["after"]?.integer, let isReady = json["isReady"]?.bool,
      let standing = json["standing"]?.string
    else { return nil }
    self.init(after: after, isReady: isReady, standing: standing)
  }
}

extension Resumption.Watching {
  fileprivate init?(_ json: JSONObject) {
    guard let cards = json["shown"]?.array, let isReady = json["isReady"]?.bool else { return nil }
    var shown: [QuestionID: String] = [:]
    for card in cards {
      guard
        let pair = card.array, pair.count == 2, let question = pair[0].string.flatMap({ QuestionID($0) }),
        let look = pair[1].string
      else { return nil }
      shown[question] = look
    }
    self.init(shown: shown, isReady: isReady)
  }
}
