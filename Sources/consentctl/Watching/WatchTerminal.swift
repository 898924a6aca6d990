// SPDX-License-Identifier: Apache-2.0
//
// The cards on a terminal: keys in, pictures out. What they mean is WatchScreen's; here is only what touches the terminal,
// the daemon and the signals. A dumb terminal, or one that does not say what it is, is left as it is: the cards come one
// below the other, and a key is a letter and Enter.

import ConsentKit
import Glibc
import HostRuntime

/// One guardian at one terminal.
@Loop
final class WatchTerminal {
  private let output: Output
  private let guardian: GuardianClient
  private let speaker: String?
  private var feed: ChangeFeed
  private var screen = WatchScreen()
  private var picture: any WatchPicture
  private let mode: TerminalMode?
  private var end: CheckedContinuation<Result<ExitCode, any Error>, Never>?
  private var signals: Signals?

  /// Shows what `feed` tells, and answers as `speaker` where a bridge or a sandbox needs to be told as whom.
  init(_ output: Output, _ guardian: GuardianClient, _ feed: ChangeFeed, speaker: String?) {
    self.output = output
    self.guardian = guardian
    self.feed = feed
    self.speaker = speaker
    mode = TerminalMode.isPlain ? nil : TerminalMode(of: STDIN_FILENO)
    picture = mode == nil ? RunningPicture() : FullPicture()
  }

  /// Runs until somebody leaves, or the daemon refuses.
  func run() async throws -> ExitCode {
    signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT]) { [weak self] in self?.take(signal: $0) }
    mode?.enter()
    defer { leave() }
    Loop.perform { await self.follow() }
    Loop.perform { await self.readKeys() }
    draw()
    return try await withCheckedContinuation { end = $0 }.get()
  }

  private func leave() {
    mode?.restore()
    if mode != nil { try? output.line("") }
  }

  private func finish(_ result: Result<ExitCode, any Error>) { end.take()?.resume(returning: result) }

  private func take(signal: Int32) {
    switch signal {
    case SIGWINCH: draw()
    case SIGCONT:
      mode?.enter()
      draw()
    default: finish(.success(.yes))
    }
  }

  private func follow() async {
    var feed = feed
    do {
      try await feed.follow { news in
        switch news {
        case .change(let change): take(.change(change))
        case .away: take(.away)
        case .back: take(.back)
        }
      }
    } catch {
      finish(.failure(error))
    }
  }

  private func readKeys() async {
    let input = Descriptor(owning: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))
    var line: [UInt8] = []
    while end != nil {
      guard (try? await Pause.wait(untilReadable: input)) != nil else { return finish(.success(.yes)) }
      let bytes = Self.bytes(from: input)
      if bytes.isEmpty { return finish(.success(.yes)) }
      guard mode == nil else {
        for key in WatchKey.keys(in: bytes) { take(.key(key)) }
        continue
      }
      line += bytes
      while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
        take(line: String(decoding: line[..<end], as: UTF8.self))
        line.removeFirst(end + 1)
      }
    }
  }

  private static func bytes(from input: Descriptor) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(input.number, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : []
  }

  private func take(line: String) {
    let isTyping = if case .typing = screen.mode { true } else { false }
    guard let keys = WatchKey.keys(inLine: line, typing: isTyping) else {
      return take(.key(.character("?")))
    }
    for key in keys { take(.key(key)) }
  }

  private func take(_ event: WatchScreen.Event) {
    guard end != nil else { return }
    for effect in screen.take(event, now: HostClock.wallUSec()) {
      switch effect {
      case .leave: finish(.success(.yes))
      case .answer(let pending): Loop.perform { await self.send(pending) }
      }
    }
    draw()
  }

  private func send(_ pending: WatchScreen.Pending) async {
    let card = screen.entries.first { $0.card.question == pending.question }?.card
    guard let card, card.contentHash.utf8.elementsEqual(pending.contentHash.utf8) else {
      return take(.replied(question: pending.question, hasEnded: false, [Messages.nothingSent]))
    }
    var kept: [String] = []
    do throws(ConsentError) {
      if pending.answer == .never {
        _ = try await guardian.changeSetting(
          "neverAsk", to: "true", for: card.person, app: card.app, guardian: speaker)
        kept = [Messages.asksNoMore(card)]
      }
      let answered = try await guardian.answer(
        card, choice: pending.answer.choice, untilUSec: pending.untilUSec, guardian: speaker)
      let lines = Messages.answered(card, pending.answer.choice, answered, .plain)
      take(.replied(question: pending.question, hasEnded: answered.state != "pending", lines + kept))
    } catch {
      take(.replied(question: pending.question, hasEnded: false, [Failures.failure(error).message ?? ""] + kept))
    }
  }

  private func draw() {
    do {
      try output.raw(picture.text(of: screen, in: TerminalMode.size(of: STDOUT_FILENO)))
    } catch {
      finish(.failure(error))
    }
  }
}
