// SPDX-License-Identifier: Apache-2.0
//
// Rows in columns. The cells are fit for a terminal already; here they are only given room, and no cell is cut: a
// guardian reads all of it or the terminal wraps it.

/// Lays rows out in columns.
enum Table {
  /// The header and the rows, two spaces between columns.
  static func lines(_ header: [String], _ rows: [[String]], _ output: Output) -> [String] {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0.indices.contains(column) ? TerminalText.columns($0[column]) : 0 }.max() ?? 0
    }
    return [output.styled(line(header, widths), .bold)] + rows.map { line($0, widths) }
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells.dropLast(), widths) {
      line += cell + String(repeating: " ", count: width - TerminalText.columns(cell) + 2)
    }
    return line + (cells.last ?? "")
  }
}
