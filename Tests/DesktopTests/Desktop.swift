// SPDX-License-Identifier: Apache-2.0
//
// A desktop with nobody at it: a session bus of its own, a screen in memory, a real notification daemon (dunst), and the
// companion as the package installs it. The daemon prints each notification as it shows it; a button is pressed through
// its own menu, so that what the companion hears is what a person's click makes it hear.

import Foundation
import TestSupport
import Testing

/// One session and the companion in it.
final class Desktop {
  /// Lets a test run only where the programs of a desktop are known to be.
  static let isThere = ConditionTrait.enabled(
    if: getenv("CONSENTD_DESKTOP") != nil, "SKIPPED: needs a notification daemon and a screen; run `make test`")

  /// What somebody sees.
  struct Notification {
    let urgency: String
    let title: String
    /// As it was sent, markup and all.
    let body: String
  }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../companions/consentd-desktop").standardized.path

  let family: Family
  let bus: Program
  private let screen: Program
  private let notifications: Program
  private(set) var companion: Program
  private let directory: TemporaryDirectory
  private var environment: [String: String]

  /// Starts everything and returns when the companion can show what is asked.
  init(_ family: Family) throws {
    self.family = family
    directory = try TemporaryDirectory()
    try Desktop.lay(out: directory)
    environment = Desktop.environment(directory, family)
    bus = try Program("dbus-daemon", ["--config-file", directory.file("bus.conf"), "--nofork", "--print-address"])
    guard try bus.readLine() != nil else { throw TestFailure("no bus: \(bus.errors)") }
    screen = try Program("Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"])
    guard let display = try screen.readLine() else { throw TestFailure("no screen: \(screen.errors)") }
    environment["DISPLAY"] = ":\(display)"
    notifications = try Program("dunst", ["-conf", directory.file("dunstrc")], environment: environment)
    companion = try Program(Desktop.script, environment: environment, wrappers: [.session])
    try until("the notification daemon serves") { try control("count", "displayed").exit == .status(0) }
    try family.settle("companions", 1)
  }

  /// A screen that is asked to end takes its socket and its lock away.
  deinit {
    screen.signal(SIGTERM)
    _ = try? screen.waitForExit()
  }

  /// The next notification, when it is shown.
  func shown() throws -> Notification {
    guard let line = try notifications.readLine() else { throw TestFailure("dunst ended: \(notifications.errors)") }
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { throw TestFailure("unreadable: \(line)") }
    return Notification(urgency: parts[0], title: parts[1], body: parts[2].replacing("\u{1E}", with: "\n"))
  }

  /// Presses the button called `label` of the notification that is shown.
  func press(_ label: String) throws {
    try directory.write(label, to: "wanted")
    try require(control("context"))
  }

  /// The buttons of what is shown now.
  func buttons() throws -> [String] {
    try press("none of them")
    try until("the menu was opened") { (try? directory.read("menu")) != nil }
    let menu = String(decoding: try directory.read("menu"), as: UTF8.self)
    return menu.matches(of: /#(.+?) \(/).map { String($0.output.1) }
  }

  /// Closes the notification on top, as a person does.
  func closeTop() throws {
    try require(control("close"))
  }

  /// Returns when exactly `count` notifications are shown.
  func settle(displayed count: Int) throws {
    try until("\(count) displayed") { try control("count", "displayed").output == "\(count)\n" }
  }

  /// Starts the companion once more in this session, and gives how that ended.
  func startSecond() throws -> Program.Outcome { try Program.run(Desktop.script, environment: environment) }

  /// Stops the companion's watching where it is, or lets it go on: what it is told meanwhile, it learns later.
  func signalWatch(_ signal: Int32) throws {
    let found = try Program.run("pgrep", ["-P", "\(companion.pid)", "-x", "consentctl"])
    kill(try #require(Int32(found.output.trimmingCharacters(in: .whitespacesAndNewlines))), signal)
  }

  private func control(_ arguments: String...) throws -> Program.Outcome {
    try Program.run("dunstctl", arguments, environment: environment)
  }

  private func require(_ outcome: Program.Outcome) throws {
    guard outcome.exit == .status(0) else { throw TestFailure("dunstctl: \(outcome.errors)") }
  }

  private func until(_ what: String, _ condition: () throws -> Bool) throws {
    let deadline = Deadline()
    while try !condition() {
      guard !deadline.hasPassed else { throw TestFailure("never: \(what); \(companion.errors)") }
    }
  }

  private static func environment(_ directory: TemporaryDirectory, _ family: Family) -> [String: String] {
    let programs = (try? Program.path(of: "consentctl")).map { ($0 as NSString).deletingLastPathComponent } ?? ""
    return [
      "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": directory.path,
      "XDG_RUNTIME_DIR": directory.file("run"), "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory.file("bus"))",
      "CONSENTD_RUNTIME_DIRECTORY": family.daemon.directory.file("sandbox"),
    ]
  }

  private static func lay(out directory: TemporaryDirectory) throws {
    mkdir(directory.file("run"), 0o700)
    try directory.write(
      """
      <busconfig><type>session</type><listen>unix:path=\(directory.file("bus"))</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/></policy></busconfig>
      """, to: "bus.conf")
    try directory.write(
      """
      [global]
        dmenu = \(directory.file("choose"))
        markup = full
      [every]
        summary = "*"
        script = \(directory.file("print"))
      """, to: "dunstrc")
    try directory.write(
      """
      #!/bin/sh
      cd "$(dirname "$0")" && cat > menu.new && mv menu.new menu && grep -m 1 "^#$(cat wanted) (" menu
      """, to: "choose")
    try directory.write(
      """
      #!/bin/sh
      printf '%s\\t%s\\t%s' "$DUNST_URGENCY" "$DUNST_SUMMARY" "$DUNST_BODY" | tr '\\n' '\\036' | sed 's/$/\\n/'
      """, to: "print")
    for name in ["choose", "print"] { chmod(directory.file(name), 0o755) }
  }
}
