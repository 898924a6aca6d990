// SPDX-License-Identifier: Apache-2.0
//
// The way back of a companion: one answer per line of standard input, all over one connection without waiting for each
// other, one result per line in the same order. A line that is wrong costs its sender an error and the others nothing.
// An answer may be sent again at any time: the daemon gives the same decision for it.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let answer = Command(
    name: "answer", group: .guardian, operands: "--stdin", arity: 0...0,
    summary: "answer many questions, one JSON object per line",
    details: [
      "Reads {\"question\": …, \"choice\": …, \"contentHash\": …} (also untilUSec, items, note, guardian) and prints",
      "one JSON object each, with line, question and accepted, and the daemon's reply or error and message.",
      "Always send the contentHash of the card that was shown: without it an answer counts for whatever is asked.",
      "Exit status: 0 where every answer was accepted, else 1; also where nobody reads the results any more.",
    ],
    options: [Option("--stdin", "read the answers from standard input")],
    run: { call in
      guard call.arguments.has("--stdin") else {
        throw CommandFailure.usage("answer reads from standard input: consentctl answer --stdin")
      }
      return try await call.output.whileRead { try await AnswerStream(call).run() }
    })
}

/// Sends answers as they come and prints their results in the same order.
@Loop
final class AnswerStream {
  /// How many answers may be on their way.
  private static let window = 64

  /// One line of input and what becomes of it.
  private struct Entry {
    let line: Int64
    let question: JSON?
    /// The connection the answer went over, or why it went nowhere.
    let sent: Result<Connection, AnswerError>
  }

  private let call: Invocation
  private let lines: LineReader
  private var connection: Connection?
  private var entries: [Entry] = []
  private var areAllAccepted = true
  /// Whoever waits for the entries to change: the sender for room, the printer for work.
  private var waiting: CheckedContinuation<Void, Never>?
  private var hasEnded = false
  private var failure: CommandFailure?

  init(_ call: Invocation, lines: LineReader = LineReader()) {
    self.call = call
    self.lines = lines
  }

  /// Runs until the input ends and every result is printed.
  func run() async throws -> ExitCode {
    let printer = Task { await printResults() }
    var number: Int64 = 0
    while failure == nil, let line = try await lines.next() {
      number += 1
      if line == .text([]) { continue }
      await enter(line, number)
    }
    hasEnded = true
    wake()
    await printer.value
    if let failure { throw failure }
    return areAllAccepted ? .yes : .failure
  }

  private func enter(_ line: LineReader.Line, _ number: Int64) async {
    while entries.count >= AnswerStream.window, failure == nil { await change() }
    let answer = AnswerStream.parse(line)
    let sent = answer.flatMap { object in
      open().map { connection in
        connection.send(GuardianClient.answerMethod, object)
        return connection
      }
    }
    let question = (try? answer.get())?["question"]
    entries.append(Entry(line: number, question: question, sent: sent))
    wake()
  }

  private static func parse(_ line: LineReader.Line) -> Result<JSONObject, AnswerError> {
    guard case .text(let bytes) = line else {
      return .failure(.invalidLine("the line is longer than \(LineReader.limit) bytes"))
    }
    do throws(JSONError) {
      return .success(try JSONObject(parsing: bytes))
    } catch {
      return .failure(.invalidLine("not a JSON object: \(error.reason)"))
    }
  }

  /// The connection that stands, or a new one.
  private func open() -> Result<Connection, AnswerError> {
    if let connection, connection.isOpen { return .success(connection) }
    do throws(ConsentError) {
      let opened = try Connection(to: call.daemon.path(.guardians))
      connection = opened
      return .success(opened)
    } catch {
      return .failure(.consent(error))
    }
  }

  private func printResults() async {
    while failure == nil {
      guard let entry = entries.first else {
        if hasEnded { return }
        await change()
        continue
      }
      let outcome = await AnswerStream.outcome(of: entry)
      entries.removeFirst()
      wake()
      if case .failure = outcome { areAllAccepted = false }
      do throws(CommandFailure) {
        try call.output.object(AnswerStream.result(entry, outcome))
      } catch {
        failure = error
        wake()
      }
    }
  }

  private static func outcome(of entry: Entry) async -> Result<JSONObject, AnswerError> {
    switch entry.sent {
    case .success(let connection): await connection.outcome().mapError(AnswerError.consent)
    case .failure(let error): .failure(error)
    }
  }

  private static func result(_ entry: Entry, _ outcome: Result<JSONObject, AnswerError>) -> JSONObject {
    var result: JSONObject = ["line": .integer(entry.line)]
    result["question"] = entry.question
    switch outcome {
    case .success(let reply):
      result["accepted"] = true
      for member in reply.members { result[member.name] = member.value }
    case .failure(let error):
      result["accepted"] = false
      for member in error.json.members { result[member.name] = member.value }
    }
    return result
  }

  private func change() async {
    await withCheckedContinuation { waiting = $0 }
  }

  private func wake() {
    waiting.take()?.resume()
  }
}

/// Why an answer was not accepted.
enum AnswerError: Error {
  /// The line is no object; nothing was sent.
  case invalidLine(String)
  /// It was sent, or should have been, and came to nothing.
  case consent(ConsentError)

  /// What the sender of the line is told.
  var json: JSONObject {
    switch self {
    case .invalidLine(let message): ["error": "InvalidLine", "message": .string(message)]
    case .consent(let error): Failures.json(error)
    }
  }
}
