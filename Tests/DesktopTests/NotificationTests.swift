// SPDX-License-Identifier: Apache-2.0
//
// A guardian at a desktop: sees what is asked, presses a button or does not, and is never taken for having answered
// what somebody else answered, or what nobody did.

import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite(Desktop.isThere, .serialized)
struct NotificationTests {
  private let family: Family
  private let desktop: Desktop

  init() throws {
    family = try Family()
    desktop = try Desktop(family)
  }

  @Test func `a question is shown with its person and its origin, and its texts are only texts`() throws {
    let card = try family.card(try family.question(.update("2.0", #"Adds <b>rooms</b> & \x41 \n for you."#)))
    let notification = try desktop.shown()
    #expect(notification.title == "Somebody asks for your approval")
    #expect(notification.urgency == "NORMAL")
    #expect(notification.body.contains(#"Adds &lt;b&gt;rooms&lt;/b&gt; &amp; \x41 \n for you."#), "\(notification)")
    #expect(notification.body.contains("for: \(Family.person)"), "\(notification)")
    #expect(notification.body.contains("from: a program that gave no name"), "\(notification)")
    #expect(card["state"] == "pending")
    #expect(try desktop.buttons() == ["Allow", "Deny"])
  }

  @Test(arguments: [("Allow", "approve"), ("Allow once", "approveOnce"), ("Deny", "deny")])
  func `a button is an answer, and whoever waits goes on`(button: String, choice: String) throws {
    let question = try family.question(.resource())
    let waiter = try family.waiter(for: question)
    _ = try desktop.shown()
    try desktop.press(button)
    let decision = try waiter.receiveAnswer()
    #expect(decision["state"] == (choice == "deny" ? "denied" : "approved"))
    #expect(decision["choice"] == .string(choice))
    try desktop.settle(displayed: 0)
  }

  @Test func `closing a notification answers nothing`() throws {
    let closed = try family.question(.update("2.0"))
    _ = try desktop.shown()
    try desktop.closeTop()
    try desktop.settle(displayed: 0)
    let waiter = try family.waiter(for: try family.question(.resource()))
    _ = try desktop.shown()
    try desktop.press("Allow")
    #expect(try waiter.receiveAnswer()["state"] == "approved")
    #expect(try family.look(closed)["state"] == "pending")
  }

  @Test func `a notification goes when somebody else answers`() throws {
    let question = try family.question(.update("2.0"))
    _ = try desktop.shown()
    try family.answer(question, "deny")
    try desktop.settle(displayed: 0)
    #expect(try family.look(question)["state"] == "denied")
  }

  @Test func `an answer that comes too late is said to have no effect`() throws {
    let question = try family.question(.update("2.0"))
    _ = try desktop.shown()
    try desktop.signalWatch(SIGSTOP)
    try family.answer(question, "deny")
    try desktop.press("Allow")
    let notification = try desktop.shown()
    #expect(notification.title == "Your answer came too late")
    #expect(notification.body.contains("denied"), "\(notification)")
    try desktop.signalWatch(SIGCONT)
    #expect(try family.look(question)["state"] == "denied")
  }

  @Test func `a reminder takes the place of the notification and is urgent`() throws {
    _ = try family.question(.update("2.0"), ["expiresInUSec": .integer(2 * Family.hour)])
    _ = try desktop.shown()
    try family.advance(Family.hour)
    #expect(try desktop.shown().urgency == "CRITICAL")
    try desktop.settle(displayed: 1)
  }

  @Test func `what is too long to be read there cannot be answered there`() throws {
    let text = String(repeating: "More and more. ", count: 66)
    let topic = JSONObject.update("2.0", text).with(["personDescription": .string(text)])
    let question = try family.question(topic)
    let notification = try desktop.shown()
    #expect(notification.body.contains("consentctl show \(question)"), "\(notification)")
    #expect(!notification.body.contains("More and more"))
  }

  @Test func `that a permission was taken back is told`() throws {
    let question = try family.question(.update("2.0"))
    _ = try desktop.shown()
    try family.answer(question, "approve")
    try desktop.settle(displayed: 0)
    try family.desk.guardian("Revoke", ["person": .string(Family.person)])
    let notification = try desktop.shown()
    #expect(notification.title == "A permission was taken back")
    #expect(notification.urgency == "LOW")
  }

  @Test func `what is shown is not shown twice when the daemon comes back`() throws {
    _ = try family.question(.update("2.0"))
    _ = try desktop.shown()
    #expect(try family.daemon.stop().exit == .status(0))
    try family.startAgain()
    try family.settle("companions", 1)
    _ = try family.question(.resource())
    #expect(try desktop.shown().body.contains("screenTime"))
    try desktop.settle(displayed: 2)
  }

  @Test func `there is one companion in a session`() throws {
    let second = try desktop.startSecond()
    #expect(second.exit == .status(0))
    #expect(second.errors == "consentd-desktop: it runs already in this session\n")
    #expect(desktop.companion.isRunning)
  }

  @Test func `it ends with the session, and with it what it showed`() throws {
    _ = try family.question(.update("2.0"))
    _ = try desktop.shown()
    desktop.companion.signal(SIGTERM)
    #expect(try desktop.companion.waitForExit() == .status(0))
    try desktop.settle(displayed: 0)
  }

  @Test func `it ends when the bus of its session goes`() throws {
    desktop.bus.signal(SIGTERM)
    #expect(try desktop.companion.waitForExit() == .status(0))
  }
}
