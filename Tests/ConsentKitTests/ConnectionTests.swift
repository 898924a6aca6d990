// SPDX-License-Identifier: Apache-2.0
//
// A client's connection, against a peer that does what a daemon must not and what it may.

import Foundation
import HostRuntime
import StrictJSON
import Testing
import Varlink

@testable import ConsentKit
@testable import TestSupport

@Suite struct ConnectionTests {
  @Test func `pipelined calls are answered in their order`() async throws {
    let daemon = try FakeDaemon { call, _ in [.reply(call.parameters)] }
    let connection = try await open(daemon)
    for number in 0..<200 { await connection.send("a.b.Echo", ["n": .integer(Int64(number))]) }
    for number in 0..<200 { #expect(try await connection.next().parameters == ["n": .integer(Int64(number))]) }
  }

  @Test func `an error reply is a refusal with its parameters`() async throws {
    let fake = try FakeDaemon { _, _ in [.error("a.b.Wrong", ["field": "x", "limit": 3])] }
    do {
      _ = try await fake.address.call(.apps, "a.b.C")
      Issue.record("the call succeeded")
    } catch .refused(let refusal) {
      #expect(refusal.name == "a.b.Wrong")
      #expect(refusal.shortName == "Wrong")
      #expect(refusal.text("field") == "x")
      #expect(refusal.number("limit") == 3)
      #expect(refusal.text("limit") == nil)
    }
  }

  @Test func `a socket nobody serves is unreachable, and the error says which`() async throws {
    let directory = try TemporaryDirectory()
    do {
      _ = try await ConsentKit.Daemon(runtimeDirectory: directory.path).call(.guardians, "a.b.C")
      Issue.record("the call succeeded")
    } catch .unreachable(let path, let reason) {
      #expect(path == directory.file("org.consentd.Guardian"))
      #expect(reason == "No such file or directory")
    }
  }

  @Test(arguments: [
    ([FakeDaemon.Say.hangUp], "connectionLost"),
    ([.raw("gibberish")], "protocolViolation"),
    ([.raw(#"{"parameters":{},"continues":true}"#)], "protocolViolation"),
    ([.raw("[]")], "protocolViolation"),
  ])
  func `a peer that gives no reply is no answer`(said: [FakeDaemon.Say], name: String) async throws {
    let fake = try FakeDaemon { _, _ in said }
    do {
      _ = try await fake.address.call(.apps, "a.b.C")
      Issue.record("the call succeeded")
    } catch {
      #expect("\(error)".hasPrefix(name))
    }
  }

  @Test func `what a peer said before it left is still read`() async throws {
    let fake = try FakeDaemon { _, _ in [.more(["n": 1]), .more(["n": 2]), .hangUp] }
    let connection = try await open(fake)
    await connection.send("a.b.C", more: true)
    #expect(try await connection.next().parameters == ["n": 1])
    #expect(try await connection.next().parameters == ["n": 2])
    await #expect(throws: ConsentError.self) { try await connection.next() }
    #expect(await !connection.isOpen)
  }

  @Test func `a caller that is cancelled is let go and hangs up`() async throws {
    let (connection, far) = try await connected()
    await connection.send("a.b.Wait")
    let waiting = Task { try await connection.next() }
    _ = try far.read()
    waiting.cancel()
    await #expect(throws: ConsentError.self) { try await waiting.value }
    #expect(try far.read().isEmpty)
  }

  @Test func `a caller that was cancelled before is let go as well`() async throws {
    let (connection, far) = try await connected()
    await connection.send("a.b.Wait")
    let waiting = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await connection.next()
    }
    waiting.cancel()
    await #expect(throws: ConsentError.self) { try await waiting.value }
    #expect(try far.read().isEmpty == false)
    #expect(try far.read().isEmpty)
  }

  @Test func `replies nobody takes stay with the peer`() async throws {
    let (connection, far) = try await connected()
    await connection.send("a.b.Stream", more: true)
    _ = try far.read()
    let text = String(repeating: "x", count: 10_000)
    let reply = Array(#"{"continues":true,"parameters":{"text":"\#(text)"}}"#.utf8) + [0]
    #expect(throws: TestFailure.self) {
      for _ in 0..<5_000 { try far.write(reply, before: Deadline(seconds: 1)) }
    }
  }

  @Test func `a reader that paused gets every reply when it goes on`() async throws {
    let text = String(repeating: "x", count: 10_000)
    let fake = try FakeDaemon { _, _ in (0..<500).map { .more(["n": .integer($0), "text": .string(text)]) } }
    let connection = try await open(fake)
    await connection.send("a.b.Stream", more: true)
    for number in 0..<500 { #expect(try await connection.next().parameters["n"] == .integer(Int64(number))) }
  }

  private func open(_ fake: FakeDaemon) async throws -> Connection {
    try await Connection.open(fake.address.path(.apps))
  }

  /// A connection and what is at its other end.
  private func connected() async throws -> (connection: Connection, far: Endpoint) {
    let directory = try TemporaryDirectory()
    let listener = try TestSupport.ListeningSocket(path: directory.file("socket"))
    let connection = try await Connection.open(listener.path)
    return (connection, Endpoint(owning: accept(listener.descriptor, nil, nil)))
  }
}
