// SPDX-License-Identifier: Apache-2.0
//
// The list as bytes, version 1:
//
//     consentd handover 1\n
//     32 bytes                 SHA-256 of everything behind them
//     for each connection      a JSON object and a NUL, then `input` bytes, then `output` bytes
//     the last record          {"connections": how many there were} and a NUL
//
// A record is {"role", "input", "output", "inputEnded"?, and one of "wait", "follow", "watch" where its first call waits}:
// the fields of `Resumption` under their names there. What a later version adds or drops makes it another version: a
// process that does not know it closes the connections, and their callers come back by id.

import ConsentInterface
import ConsentModel
import StrictJSON
import Varlink

extension Handover {
  /// The first line.
  static let magic = Array("consentd handover 1\n".utf8)

  /// The bytes of the memory file.
  func encoded() -> [UInt8] {
    var body: [UInt8] = []
    for entry in entries { entry.encode(into: &body) }
    (["connections": .integer(Int64(entries.count))] as JSONObject).encode(into: &body)
    body.append(0)
    return Self.sealing(body)
  }

  /// A body with what stands in front of it.
  static func sealing(_ body: [UInt8]) -> [UInt8] { magic + Sodium.sha256(body) + body }
}

extension Handover.Entry {
  /// Appends the record.
  func encode(into bytes: inout [UInt8]) {
    var words: JSONObject = [
      "role": .string(role.rawValue), "input": .integer(Int64(remainder.input.count)),
      "output": .integer(Int64(remainder.output.count)),
    ]
    if remainder.inputEnded { words["inputEnded"] = true }
    switch resumption {
    case .waiting(let wait)?: words["wait"] = .object(wait.json)
    case .following(let following)?: words["follow"] = .object(following.json)
    case .watching(let watching)?: words["watch"] = .object(watching.json)
    case nil: break
    }
    words.encode(into: &bytes)
    bytes.append(0)
    bytes += remainder.input
    bytes += remainder.output
  }
}

extension Resumption.Wait {
  fileprivate var json: JSONObject {
    [
      "question": .string(question.text), "joined": .bool(joined), "untilBootUSec": .integer(untilBootUSec),
    ]
  }
}

extension Resumption.Following {
  fileprivate var json: JSONObject {
    ["after": .integer(after), "isReady": .bool(isReady), "standing": .string(standing)]
  }
}

extension Resumption.Watching {
  fileprivate var json: JSONObject {
    let cards = shown.map { JSON.array([.string($0.key.text), .string($0.value)]) }
    return ["shown": .array(cards), "isReady": .bool(isReady)]
  }
}
