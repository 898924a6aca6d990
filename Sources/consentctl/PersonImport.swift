// SPDX-License-Identifier: Apache-2.0
//
// Many people at once: one object per line of standard input. Each line is a few calls (the person, the guardians, the
// age) that have to come in this order; what makes it fast is that many lines are on their way at the same time, each
// on connections of its own, so that the daemon flushes their changes together.
//
// A line that is refused costs the others nothing. A daemon that is lost ends the import. What is done may be done
// again, so after either the same lines are simply given once more.

import ConsentKit
import HostRuntime
import StrictJSON

extension Command {
  static let personImport = Command(
    name: "person import", group: .administrator, operands: "--stdin", arity: 0...0,
    summary: "enrol many people, one JSON object per line",
    details: [
      "Reads {\"person\": …} with displayName, guardians (texts, or {\"guardian\": …, \"displayName\": …}), and",
      "birthDate, or lowerBound, upperBound and asOfDate, and assurance. A registered service enrols its own",
      "accounts, whose guardians are its own contacts. Prints a line per failure and a summary. May be repeated.",
      "Exit status: 0 where every line was taken, else 1.",
    ],
    options: [Option("--stdin", "read the people from standard input")],
    run: { call in
      guard call.arguments.has("--stdin") else {
        throw CommandFailure.usage("people are read from standard input: consentctl person import --stdin")
      }
      return try await call.output.whileRead { try await PersonImport(call).run() }
    })
}

/// Sends lines as they come, and prints what came to nothing.
@Loop
final class PersonImport {
  /// How many lines may be on their way.
  private static let lanes = 64
  /// How long a line waits that the daemon cannot take now, microseconds, and how often.
  private static let pauseUSec: Int64 = 100_000
  private static let attempts = 100

  private let call: Invocation
  private let lines: LineReader
  private var idle: [ImportLane] = []
  private var imported: Int64 = 0
  private var failed: Int64 = 0
  private var ending: (any Error)?
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ call: Invocation, lines: LineReader = LineReader()) {
    self.call = call
    self.lines = lines
  }

  /// Runs until the input ends and every line has come to something.
  func run() async throws -> ExitCode {
    let isAdministrator = try await isAdministrator()
    idle = (0..<Self.lanes).map { _ in ImportLane(call.daemon, isAdministrator: isAdministrator) }
    var number: Int64 = 0
    while ending == nil, let line = try await lines.next() {
      number += 1
      if line == .text([]) { continue }
      while idle.isEmpty { await change() }
      guard ending == nil, let lane = idle.popLast() else { break }
      Loop.perform { [number] in await self.take(line, number, on: lane) }
    }
    while idle.count < Self.lanes { await change() }
    try finish()
    if let ending { throw Failures.failure(ending) }
    return failed == 0 ? .yes : .failure
  }

  /// Whether the caller administers this machine's people; else it is a service, or will be refused line by line.
  private func isAdministrator() async throws(ConsentError) -> Bool {
    do throws(ConsentError) {
      _ = try await call.daemon.call(.guardians, "org.consentd.Administration.GetStatistics")
      return true
    } catch .refused(let refusal) where refusal.shortName == "NotPermitted" {
      return false
    }
  }

  private func take(_ line: LineReader.Line, _ number: Int64, on lane: ImportLane) async {
    var entry: ImportedPerson?
    do throws(ImportError) {
      let read = try ImportedPerson(line)
      entry = read
      try await enrol(read, on: lane)
      imported += 1
    } catch {
      failed += 1
      report(error, number, entry?.person)
    }
    idle.append(lane)
    waiting.take()?.resume()
  }

  /// Enrols somebody, again and again while the daemon says that it will be able to.
  private func enrol(_ person: ImportedPerson, on lane: ImportLane) async throws(ImportError) {
    var left = Self.attempts
    while true {
      do throws(ConsentError) {
        return try await lane.enrol(person)
      } catch {
        left -= 1
        guard case .refused(let refusal) = error, refusal.isRetryable, left > 0, ending == nil else {
          throw .consent(error)
        }
        try? await Pause.wait(usec: Self.pauseUSec)
      }
    }
  }

  private func report(_ error: ImportError, _ line: Int64, _ person: String?) {
    if case .consent(let cause) = error, cause.isLoss { ending = ending ?? cause }
    var result: JSONObject = ["line": .integer(line)]
    result["person"] = person.map(JSON.string)
    for member in error.json.members { result[member.name] = member.value }
    do throws(CommandFailure) {
      try call.output.reply(result) { [Messages.notImported(line, person, error.message)] }
    } catch {
      ending = ending ?? error
    }
  }

  private func finish() throws(CommandFailure) {
    let summary: JSONObject = ["imported": .integer(imported), "failed": .integer(failed)]
    try call.output.reply(summary) { [Messages.imported(imported, failed: failed)] }
  }

  private func change() async {
    await withCheckedContinuation { waiting = $0 }
  }
}

/// Why a line was not taken.
enum ImportError: Error {
  /// It is no object of the form; nothing was sent.
  case invalidLine(String)
  case consent(ConsentError)

  var message: String {
    switch self {
    case .invalidLine(let message): message
    case .consent(let error): Failures.message(error)
    }
  }

  /// What a program is told.
  var json: JSONObject {
    switch self {
    case .invalidLine(let message): ["error": "InvalidLine", "message": .string(message)]
    case .consent(let error): Failures.json(error)
    }
  }
}

extension ConsentError {
  /// Whether the daemon itself is lost, so that the next call will fare no better.
  fileprivate var isLoss: Bool { if case .refused = self { false } else { true } }
}
