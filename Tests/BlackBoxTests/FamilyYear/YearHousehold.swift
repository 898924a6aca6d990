// SPDX-License-Identifier: Apache-2.0
//
// The daemon's side of a year: the calls on the wire, which id stands for which of the model's numbers, and the
// comparison of what was said with what the model wanted.

import Glibc
import StrictJSON
import TestSupport

/// A real daemon with two children, three guardians and four apps, and the model of the same.
final class YearHousehold {
  static let children = ["uid:5001", "uid:5011"]
  static let guardians = ["uid:5000", "uid:5002", "uid:5003", "uid:5004"]
  static let apps: [String?] = ["org.example.School", "org.example.Chat", "org.example.Game", nil]
  static let askers = children.flatMap { child in apps.map { YearAsker(person: child, app: $0) } }

  /// A caller parked on a connection of its own.
  struct Waiter {
    let client: TestClient
    var question: Int
    /// What it asked: it goes on with whatever question asks that.
    let items: Set<String>
    let endsAt: Int64
  }

  let daemon: Daemon
  var app: TestClient
  var desk: TestClient
  /// For the many looks: what comes is not held against the description once more.
  var glance: TestClient
  var model: YearModel
  var questionIDs: [Int: String] = [:]
  var grantIDs: [Int: String] = [:]
  var hashes: [Int: String] = [:]
  var waiters: [Waiter] = []
  var followers: [YearAsker: YearFollower] = [:]
  /// What did not agree in this step.
  var complaints: [String] = []

  /// Starts a daemon on whose manners the rules of the design hold, with two apps registered: of two entries that fit
  /// the peer none is its own, so that an ask without a name is nobody's.
  init() throws {
    let configuration = """
      {coolDowns: {afterDenialSec: [14400, 86400, 604800], afterLapseSec: 3600, newQuestionsPerDay: 10}}
      """
    daemon = try Daemon.sandbox(configuration: configuration)
    let place = daemon.directory.file("sandbox/apps.d")
    mkdir(place, 0o755)
    for name in ["School", "Library"] {
      try daemon.directory.write("{id: 'org.example.\(name)', uid: \(getuid())}", to: "sandbox/apps.d/\(name).json5")
    }
    desk = try daemon.guardians()
    app = try daemon.apps()
    glance = try TestClient(path: daemon.setup.apps)
    try desk.administration("Reload")
    let homes = [
      YearHousehold.children[0]: ["uid:5000", "uid:5002"], YearHousehold.children[1]: ["uid:5002", "uid:5003"],
    ]
    for child in YearHousehold.children {
      try desk.administration("AddPerson", ["person": .string(child)])
      for guardian in homes[child] ?? [] {
        try desk.administration("AddGuardian", ["person": .string(child), "guardian": .string(guardian)])
      }
    }
    model = YearModel(now: 0, guardians: homes, registered: ["org.example.School", "org.example.Library"])
    model.now = try advance(0)
    for asker in YearHousehold.askers { followers[asker] = YearFollower() }
  }

  // MARK: Calls

  /// What one call came to.
  enum Outcome {
    case reply(JSONObject)
    case error(String, JSONObject)
  }

  func advance(_ span: Int64) throws -> Int64 {
    try desk.call("\(Interface.sandbox).AdvanceClock", ["byUSec": .integer(span)]).number("nowUSec")
  }

  func outcome(_ call: () throws -> JSONObject) throws -> Outcome {
    do {
      return .reply(try call())
    } catch let refusal as CallError {
      return .error(refusal.name.split(separator: ".").last.map(String.init) ?? "", refusal.parameters)
    }
  }

  func parameters(_ asker: YearAsker, _ topic: YearTopic) -> JSONObject {
    var all: JSONObject = ["topic": .object(topic.wire)]
    for member in named(asker).members { all[member.name] = member.value }
    return all
  }

  func named(_ asker: YearAsker) -> JSONObject {
    var all: JSONObject = ["person": .string(asker.person)]
    if let app = asker.app { all["app"] = .string(app) }
    return all
  }

  /// SIGKILL, and started again on what is on disk.
  func kill() throws {
    try daemon.kill()
    for waiter in waiters { waiter.client.close() }
    waiters = []
    try daemon.start()
    app = try daemon.apps()
    desk = try daemon.guardians()
    glance = try TestClient(path: daemon.setup.apps)
    for asker in YearHousehold.askers { followers[asker]?.lose() }
  }

  // MARK: Comparison

  func expect(_ want: YearReply, _ got: Outcome, _ what: String) {
    complaints += disagreements(want, got).map { "\(what): \($0)" }
  }

  private func disagreements(_ want: YearReply, _ got: Outcome) -> [String] {
    switch (want, got) {
    case (.either(let one, let other), _):
      let first = disagreements(one, got)
      return first.isEmpty || disagreements(other, got).isEmpty ? [] : first
    case (.reply(let wants), .reply(let reply)):
      return wants.sorted { $0.key < $1.key }.compactMap { disagreement($0.key, $0.value, reply) }
    case (.error(let name, let wants), .error(let error, let parameters)):
      guard name.split(separator: " ").contains(Substring(error)) else { return ["\(name) wanted, got \(error)"] }
      return wants.sorted { $0.key < $1.key }.compactMap { disagreement($0.key, $0.value, parameters) }
    case (_, .reply(let reply)): return ["\(want) wanted, got \(reply.json)"]
    case (_, .error(let error, let parameters)): return ["\(want) wanted, got \(error) \(parameters.json)"]
    }
  }

  private func disagreement(_ path: String, _ want: YearWant, _ reply: JSONObject) -> String? {
    let steps = path.split(separator: ".").map(String.init)
    let value = steps.dropLast().reduce(Optional(reply)) { $0?[$1]?.object }?[steps.last ?? ""]
    return holds(want, value) ? nil : "\(path): \(want) wanted, in \(reply.json)"
  }

  private func holds(_ want: YearWant, _ value: JSON?) -> Bool {
    switch want {
    case .text(let text): value == .string(text)
    case .flag(let flag): value == .bool(flag)
    case .number(let number): value == .integer(number)
    case .absent: value == nil
    case .instant(let instant): value?.integer.map { abs($0 - instant) < YearModel.tolerance } ?? false
    case .oneOf(let texts): value?.string.map(texts.contains) ?? false
    case .question(let number): bind(number, value?.string, &questionIDs)
    case .grant(let number): bind(number, value?.string, &grantIDs)
    }
  }

  /// The first id that stands for a number stays it, and stands for no other.
  private func bind(_ number: Int, _ id: String?, _ ids: inout [Int: String]) -> Bool {
    guard let id else { return false }
    if let known = ids[number] { return known == id }
    guard !ids.values.contains(id) else { return false }
    ids[number] = id
    return true
  }
}

extension YearModel {
  /// How far the daemon's clock may run away from the model's within one step.
  static let tolerance = 5 * second
}

extension YearTopic {
  /// The topic as it is put on the wire.
  var wire: JSONObject {
    switch kind {
    case .significantUpdate: return .update(subject, text)
    case .resource: return JSONObject.resource(subject).with(["purpose": .string(text)])
    case .communication:
      let actions = Set(items.compactMap { $0.split(separator: "|").last.map(String.init) })
      return .talk(with: subject.split(separator: ",").map(String.init), by: actions.sorted())
    }
  }
}
