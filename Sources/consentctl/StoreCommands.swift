// SPDX-License-Identifier: Apache-2.0
//
// The store as a whole: copied while the daemon runs, put back while it does not, and judged at any time. Restoring and
// checking speak to no daemon, for there may be none that can serve (docs/decisions/0011).

import ConsentKit
import ConsentStore
import Glibc
import HostRuntime
import StrictJSON

extension Command {
  static let backup = Command(
    name: "backup", group: .administrator, operands: "FILE", arity: 1...1,
    summary: "copy everything consentd keeps to FILE, while it runs",
    details: [
      "FILE is there complete or not at all, for its owner alone. It holds birth dates and names: keep it safe."
    ],
    options: [Option("--force", "replace FILE where it is there")], run: StoreCommands.backUp)

  static let restore = Command(
    name: "restore", group: .administrator, operands: "FILE", arity: 1...1,
    summary: "put a backup in the store's place, while consentd is stopped",
    details: [
      "The store that is there is set aside under a dated name. What was asked, answered, revoked or erased after",
      "the backup is not in it; apps go on with their events where they are.",
    ],
    options: [StoreCommands.directory], run: StoreCommands.restore)

  static let storeCheck = Command(
    name: "store check", group: .administrator, operands: "[FILE]", arity: 0...1,
    summary: "check the store, or FILE, and change nothing",
    details: ["Exit status 0: all is well, 1: something is wrong, 65: it cannot be read as a store."],
    options: [StoreCommands.directory], run: StoreCommands.check)
}

/// The code of `backup`, `restore` and `store check`.
enum StoreCommands {
  static let directory = Option(
    "--state-directory", .required("DIR"), "where the store is; absent: \(SQLiteStore.directory)")

  @Loop static func backUp(_ call: Invocation) async throws -> ExitCode {
    let file = try call.operand(0)
    let isForced = call.arguments.has("--force")
    var status = stat()
    if !isForced, lstat(file, &status) == 0 { throw failure(.exists(path: file), Messages.chooseAnotherName) }
    let reply = try await call.daemon.call(.guardians, "org.consentd.Administration.Backup")
    guard let place = reply["file"]?.string, let bytes = reply["bytes"]?.integer,
      let takenAt = reply["takenAtUSec"]?.integer
    else { throw ConsentError.protocolViolation("Backup without its file") }
    do throws(StoreError) {
      try StoreCopy(file: place, bytes: bytes, takenAtUSec: takenAt).move(to: file, replacing: isForced)
    } catch {
      let isGone = lstat(place, &status) != 0 && errno == ENOENT
      throw failure(
        error,
        error == .exists(path: file) && isGone
          ? Messages.chooseAnotherName : Messages.notMoved(place, isGone: isGone))
    }
    let done: JSONObject = ["file": .string(file), "bytes": .integer(bytes), "takenAtUSec": .integer(takenAt)]
    try call.output.reply(done) { [Messages.backedUp(file, bytes, takenAt)] }
    return .yes
  }

  @Loop static func restore(_ call: Invocation) async throws -> ExitCode {
    let (file, directory) = (try call.operand(0), try stateDirectory(call))
    let restored: StoreRestoration
    do throws(StoreError) {
      restored = try StoreRestoration(of: file, into: directory, nowUSec: HostClock.wallUSec())
    } catch {
      throw failure(error, Messages.notRestored(error))
    }
    var done: JSONObject = ["store": .string(restored.store), "takenAtUSec": .integer(restored.takenAtUSec)]
    done["setAside"] = restored.setAside.map(JSON.string)
    try call.output.reply(done) { Messages.restored(restored.store, restored.takenAtUSec, restored.setAside) }
    return .yes
  }

  @Loop static func check(_ call: Invocation) async throws -> ExitCode {
    let directory = try stateDirectory(call)
    if !call.arguments.operands.isEmpty, call.arguments.has("--state-directory") {
      throw CommandFailure.usage("give FILE or --state-directory, not both")
    }
    let file = call.arguments.operands.first ?? "\(directory)/\(SQLiteStore.fileName)"
    let report: StoreReport
    do throws(StoreError) {
      report = try StoreCheck.run(file)
    } catch {
      throw CommandFailure(exit: .unreadableStore, message: Messages.plain("\(error) \(error.remedy(for: file))"))
    }
    try call.output.reply(report.json) { Messages.checked(report, call.output) }
    return report.problems.isEmpty ? .yes : .failure
  }

  private static func stateDirectory(_ call: Invocation) throws(CommandFailure) -> String {
    guard let typed = call.arguments.value("--state-directory") else { return SQLiteStore.directory }
    guard !typed.isEmpty else { throw .usage("--state-directory needs a directory") }
    return typed
  }

  private static func failure(_ error: StoreError, _ remedy: String) -> CommandFailure {
    .failure(Messages.plain("\(error) \(remedy)"))
  }
}

extension StoreReport {
  /// The report for programs.
  fileprivate var json: JSONObject {
    var json: JSONObject = ["file": .string(file), "schemaVersion": .integer(Int64(schemaVersion))]
    json["takenAtUSec"] = takenAtUSec.map(JSON.integer)
    json["isSound"] = .bool(problems.isEmpty)
    json["findings"] = .array(
      findings.map {
        .object(["check": .string($0.check), "problems": .array($0.problems.map(JSON.string))])
      })
    return json
  }
}
