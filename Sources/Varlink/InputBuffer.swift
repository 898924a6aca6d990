// SPDX-License-Identifier: Apache-2.0
//
// Bytes that came in and are not yet taken, cut into messages at their NULs. Every byte is searched once, and moved
// only when at least as many bytes before it have been taken, so that a million tiny messages cost what one long
// message costs. An empty buffer holds no memory.

internal import Glibc

/// The unread input of one session.
struct InputBuffer {
  private var bytes: [UInt8] = []
  /// Where the next message begins.
  private var start = 0
  /// Up to where no NUL was found.
  private var searched = 0

  /// The number of unread bytes.
  var count: Int { bytes.count - start }

  /// The unread bytes.
  var rest: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ new: UnsafeRawBufferPointer) {
    if start > 0, start >= count {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Hands the next complete message, without its NUL, to `read`, and takes it from the buffer once that returned.
  /// What `read` refuses stays and is refused again. `nil`: no message is complete.
  mutating func next<Message>(
    limit: Int, _ read: (UnsafeRawBufferPointer) throws(ProtocolViolation) -> Message
  ) throws(ProtocolViolation) -> Message? {
    let end = endOfMessage()
    guard (end ?? bytes.count) - start <= limit else { throw .messageTooLong(limit: limit) }
    guard let end else { return nil }
    let range = start..<end
    let message = try bytes.withUnsafeBufferPointer { (all) throws(ProtocolViolation) in
      try read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
    }
    take(upTo: end + 1)
    return message
  }

  /// The place of the NUL that ends the next message.
  private mutating func endOfMessage() -> Int? {
    let from = searched
    let distance = bytes.withUnsafeBytes { all -> Int? in
      guard let base = all.baseAddress, from < all.count else { return nil }
      return memchr(base + from, 0, all.count - from).map { UnsafeRawPointer($0) - (base + from) }
    }
    searched = distance.map { from + $0 } ?? bytes.count
    return distance.map { from + $0 }
  }

  private mutating func take(upTo end: Int) {
    if end == bytes.count {
      self = InputBuffer()
    } else {
      start = end
      searched = end
    }
  }
}
