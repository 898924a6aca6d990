// SPDX-License-Identifier: Apache-2.0
//
// Bytes that are to go out. What was sent is dropped from the front without moving the rest each time. An empty buffer
// holds no memory: ten thousand quiet connections cost none.

internal import StrictJSON

/// The unsent output of one session.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  /// Where the unsent bytes begin.
  private var start = 0

  /// The number of unsent bytes.
  var count: Int { bytes.count - start }

  /// Appends the message and its NUL.
  mutating func append(_ message: JSONObject) {
    makeRoom()
    message.encode(into: &bytes)
    bytes.append(0)
  }

  /// Appends bytes that are already a message with its NUL.
  mutating func append(encoded: [UInt8]) {
    guard count > 0 else {
      bytes = encoded
      return
    }
    makeRoom()
    bytes.append(contentsOf: encoded)
  }

  /// Hands the unsent bytes to `body`.
  func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Drops `sent` bytes from the front; more than there are drop all.
  mutating func drop(_ sent: Int) {
    if sent >= count {
      self = OutputBuffer()
    } else {
      start += max(sent, 0)
    }
  }

  /// Moves the unsent bytes to the front once at least as many were sent.
  private mutating func makeRoom() {
    guard start > 0, start >= count else { return }
    bytes.removeFirst(start)
    start = 0
  }
}
