// SPDX-License-Identifier: Apache-2.0
//
// Standard input, line by line, without ever holding the loop up: it is read when it has something to give. A line
// far longer than any answer is skipped and reported, not stored.

import Glibc
import HostRuntime

/// Reads lines from standard input. One reader at a time.
@Loop
final class LineReader {
  /// One line, without its end: a line feed, or a carriage return and one.
  enum Line: Equatable {
    case text([UInt8])
    /// A line of more than `limit` bytes.
    case tooLong
  }

  /// The longest line, in bytes.
  static let limit = 256 << 10
  private static let chunk = 64 << 10

  private let input: Descriptor
  private var buffer: [UInt8] = []
  private var scanned = 0
  private var isSkipping = false
  private var hasEnded = false

  /// Reads from a descriptor: by default a copy of standard input's.
  init(_ input: Descriptor = Descriptor(owning: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))) {
    self.input = input
  }

  /// The next line; `nil` where the input has ended.
  func next() async throws(SystemError) -> Line? {
    while true {
      if let line = takeLine() { return line }
      if hasEnded { return takeRest() }
      try await readable()
      fill()
    }
  }

  private func takeLine() -> Line? {
    guard let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
      scanned = buffer.count
      if scanned > LineReader.limit { skip() }
      return nil
    }
    defer {
      buffer.removeFirst(end + 1)
      scanned = 0
      isSkipping = false
    }
    let isWindowsEnd = end > 0 && buffer[end - 1] == UInt8(ascii: "\r")
    return isSkipping || end > LineReader.limit ? .tooLong : .text(Array(buffer[..<(isWindowsEnd ? end - 1 : end)]))
  }

  /// What stands behind the last line end.
  private func takeRest() -> Line? {
    defer {
      buffer = []
      scanned = 0
      isSkipping = false
    }
    if isSkipping { return .tooLong }
    return buffer.isEmpty ? nil : .text(buffer)
  }

  private func skip() {
    isSkipping = true
    buffer = []
    scanned = 0
  }

  /// Waits until a read does not wait. A file never does, and cannot be watched.
  private func readable() async throws(SystemError) {
    do throws(SystemError) {
      try await Pause.wait(untilReadable: input)
    } catch {
      guard error.errno == EPERM else { throw error }
    }
  }

  private func fill() {
    let count = withUnsafeTemporaryAllocation(byteCount: LineReader.chunk, alignment: 1) { chunk in
      let count = read(input.number, chunk.baseAddress, chunk.count)
      if count > 0 { buffer += UnsafeRawBufferPointer(rebasing: chunk[..<count]) }
      return count
    }
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { hasEnded = true }
  }
}
