// SPDX-License-Identifier: Apache-2.0
//
// What a terminal shows of the cards. On one whose cursor moves, everything is drawn anew; on any other, only what is new
// is written below. Every text is escaped before it comes here (Messages), so nothing an app wrote moves a cursor.

import ConsentKit

/// Draws a screen of cards.
protocol WatchPicture {
  /// What to write so that `screen` is seen.
  mutating func text(of screen: WatchScreen, in size: (columns: Int, rows: Int)) -> String
}

/// The whole terminal, redrawn.
struct FullPicture: WatchPicture {
  private static let clear = "\u{1B}[H\u{1B}[2J"
  /// Sentences that are shown below the card.
  private static let sentences = 4

  func text(of screen: WatchScreen, in size: (columns: Int, rows: Int)) -> String {
    let head = Messages.cardsHead(screen)
    let foot = (screen.notices.suffix(FullPicture.sentences) + [Messages.keys(screen)])
      .flatMap { FullPicture.wrapped($0, size.columns) }
    let card = Messages.front(screen).flatMap { FullPicture.wrapped($0, size.columns) }
    let room = max(3, size.rows - foot.count - 4)
    let pages = max(1, (card.count + room - 1) / room)
    let page = screen.page % pages
    var lines = [head + (pages > 1 ? Messages.page(page + 1, of: pages) : ""), ""]
    lines += card.dropFirst(page * room).prefix(room)
    return FullPicture.clear + (lines + [""] + foot).joined(separator: "\r\n")
  }

  /// A line in pieces that fit, so that no word an answer counts for is cut off.
  static func wrapped(_ line: String, _ columns: Int) -> [String] {
    guard line.count > columns else { return [line] }
    var rest = Substring(line)
    var pieces: [String] = []
    while !rest.isEmpty {
      pieces.append(String(rest.prefix(columns)))
      rest = rest.dropFirst(columns)
    }
    return pieces
  }
}

/// One line below the other.
struct RunningPicture: WatchPicture {
  private var shown: [String] = []
  private var told = 0
  private var keys = ""

  init() {}

  mutating func text(of screen: WatchScreen, in size: (columns: Int, rows: Int)) -> String {
    var lines = Array(screen.notices.suffix(screen.told - told))
    told = screen.told
    let front = Messages.front(screen)
    if front != shown { lines += [""] + front }
    let keys = Messages.keys(screen)
    if !lines.isEmpty || keys != self.keys { lines.append(keys) }
    (shown, self.keys) = (front, keys)
    return lines.map { $0 + "\n" }.joined()
  }
}
