// SPDX-License-Identifier: Apache-2.0
//
// Backups while the daemon serves, and what apps notice when one is put back: nothing repeats, nothing is made up, and
// what the backup does not know is unknown.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite struct BackupTests {
  private let family: Family
  private var directory: TemporaryDirectory { family.daemon.directory }
  private var state: String { directory.file("sandbox") }
  private var file: String { directory.file("backup.db") }

  init() throws {
    family = try Family()
  }

  @Test func `a backup is one sound file for its owner, and none stays in the state directory`() throws {
    try family.ask(.update("2.0"))
    let outcome = try family.consentctl("backup", file)
    #expect(outcome.exit == .status(0) && outcome.errors == "")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try copies() == [])
    let check = try family.consentctl("store", "check", file, "--json").object
    #expect(check["isSound"] == true)
    #expect(check["takenAtUSec"] != nil)
  }

  @Test func `a file that is there is kept, unless it shall be replaced`() throws {
    try directory.write("precious", to: "backup.db")
    let refused = try family.consentctl("backup", file)
    #expect(refused.exit == .status(1) && refused.remarks.count == 1 && refused.errors.contains("--force"))
    #expect(try directory.read("backup.db") == Array("precious".utf8))
    #expect(try copies() == [])
    #expect(try family.consentctl("backup", file, "--force").exit == .status(0))
    #expect(try family.consentctl("store", "check", file).exit == .status(0))
  }

  @Test func `a backup that cannot be moved out leaves nothing behind`() throws {
    let outcome = try family.consentctl("backup", directory.file("none/backup.db"))
    #expect(outcome.exit == .status(1) && outcome.remarks.count == 1)
    #expect(try copies() == [])
  }

  @Test func `64 callers ask while backups are made, and all are served`() throws {
    for number in 0..<200 { try family.ask(.update("before-\(number)", String(repeating: "x", count: 1_000))) }
    let desks = try (0..<2).map { _ in try family.daemon.guardians() }
    let apps = try (0..<64).map { _ in try family.daemon.apps() }
    for desk in desks { try desk.send("\(Interface.administration).Backup") }
    for round in 0..<4 {
      for (number, app) in apps.enumerated() {
        try app.send("\(Interface.permission).Ask", family.asking(.update("during-\(number)-\(round)")))
      }
    }
    for app in apps {
      for _ in 0..<4 { #expect(try app.receiveAnswer()["state"] == "pending") }
    }
    let files = try desks.map { try $0.receiveAnswer().text("file") }
    #expect(Set(files).count == 2)
    for copy in files { #expect(try family.consentctl("store", "check", copy).exit == .status(0)) }
    #expect(try family.consentctl("store", "check", "--state-directory", state).exit == .status(0))
  }

  @Test func `a stop does not wait for a backup`() throws {
    for number in 0..<200 { try family.ask(.update("\(number)", String(repeating: "x", count: 1_000))) }
    try family.desk.send("\(Interface.administration).Backup")
    let (exit, time) = try family.daemon.stop()
    #expect(exit == .status(0) && time < .seconds(2))
    #expect(!FileManager.default.fileExists(atPath: "\(state)/consentd.db-copy"))
  }

  @Test func `after a restoration no sequence repeats, and what came later is unknown`() throws {
    let before = try family.question(.update("1.0"))
    #expect(try family.consentctl("backup", file).exit == .status(0))
    let late = try family.question(.update("2.0"))
    try family.answer(late, "approve")
    let stranger: JSONObject = ["app": "org.example.New"]
    try family.ask(.update("3.0"), stranger)
    let seen = try #require(try family.responses(["after": 0]).backlog().last).number("sequence")
    try family.app.permission("Acknowledge", ["sequence": .integer(seen), "person": .string(Family.person)])

    #expect(try family.daemon.stop().exit == .status(0))
    let restored = try family.consentctl("restore", file, "--state-directory", state, "--json")
    #expect(restored.exit == .status(0))
    let aside = try restored.object.text("setAside")
    #expect(try family.consentctl("store", "check", aside).exit == .status(0))
    try family.startAgain()

    let unknown = #expect(throws: CallError.self) { try family.look(late) }
    #expect(unknown?.name == "\(Interface.permission).UnknownQuestion")
    #expect(try family.look(before)["state"] == "pending")
    #expect(try family.status(.update("2.0"))["status"] != "approved")
    try family.app.permission("Acknowledge", ["sequence": .integer(seen), "person": .string(Family.person)])
    let stream = try family.responses(["after": .integer(seen)])
    #expect(try stream.backlog() == [])
    try family.answer(before, "deny")
    let news = try stream.next()
    #expect(news["event"] == "decided" && news["question"] == .string(before))
    #expect(try news.number("sequence") > seen + 1_000_000)
    let other = try family.responses(stranger.with(["after": 1]))
    #expect(try other.backlog() == [])
    try family.ask(.update("3.0"), stranger)
    #expect(try other.next().number("sequence") > 1_000_000)
    let log = String(decoding: try directory.read("sandbox/consentd.log"), as: UTF8.self)
    #expect(log.contains("put in place"))
  }

  @Test func `a second start on a restored store jumps no further`() throws {
    try family.ask(.update("1.0"))
    #expect(try family.consentctl("backup", file).exit == .status(0))
    try family.daemon.kill()
    #expect(try family.consentctl("restore", file, "--state-directory", state).exit == .status(0))
    try family.startAgain()
    try family.ask(.update("2.0"))
    let first = try #require(try family.responses(["after": 0]).backlog().last).number("sequence")
    try family.daemon.kill()
    try family.startAgain()
    try family.ask(.update("3.0"))
    let second = try #require(try family.responses(["after": 0]).backlog().last).number("sequence")
    #expect(second > first && second < first + 100)
  }

  @Test func `nothing is restored while a daemon runs`() throws {
    #expect(try family.consentctl("backup", file).exit == .status(0))
    let outcome = try family.consentctl("restore", file, "--state-directory", state)
    #expect(outcome.exit == .status(1) && outcome.remarks.count == 1 && outcome.errors.contains("systemctl stop"))
    #expect(try family.ask(.update("2.0"))["state"] == "pending")
  }

  private func copies() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state).filter {
      $0.contains("backup") || $0.contains("copy")
    }
  }
}
