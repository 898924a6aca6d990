// SPDX-License-Identifier: Apache-2.0
//
// One socket's place in the loop. A handler is found by a token that is used once in the life of the process, never by
// the descriptor's number, which the kernel gives to the next connection: whatever was reported for a watch that has
// been cancelled since reaches nobody.
//
// Readiness is level-triggered: what a handler leaves undone it is called for again. So a handler has to stop wanting
// what it cannot serve: after `peerFinished` it reads the rest and then drops `.readable`; after `hangUp`, which cannot
// be unwanted, it cancels.

internal import CLinux
internal import CSystemd

/// The loop's attention to one descriptor, which stays open as long as the watch lives.
@Loop
package final class Watch {
  /// What an owner waits for. A hang-up is always reported.
  package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes or connections to take, or the peer's last word.
    package static let readable = Interest(rawValue: 1)
    /// Room to send.
    package static let writable = Interest(rawValue: 2)
  }

  /// What has happened to a descriptor.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There are bytes, a connection or an end to take.
    package static let readable = Readiness(rawValue: 1)
    /// There is room to send.
    package static let writable = Readiness(rawValue: 2)
    /// The peer will send no more than what is there to read; it may still receive. Comes with `.readable` only.
    package static let peerFinished = Readiness(rawValue: 4)
    /// The connection is broken, or both directions are closed.
    package static let hangUp = Readiness(rawValue: 8)
  }

  private let descriptor: Descriptor
  private let reactor: Reactor
  private let token: UInt64

  /// What the owner waits for now.
  package var interest: Interest {
    didSet {
      if interest != oldValue { reactor.setInterest(interest, of: token, on: descriptor) }
    }
  }

  /// Begins to watch a descriptor. The handler is kept, with all it holds, until the watch is cancelled or let go.
  ///
  /// Throws `EPERM` for what cannot be waited for, as a file: it is always ready.
  package init(
    _ descriptor: Descriptor, interest: Interest, handler: @escaping @Loop (Readiness) -> Void
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.interest = interest
    reactor = try Reactor.process.get()
    token = try reactor.register(descriptor, Reactor.Registration(interest: interest, handler: handler))
  }

  /// Ends the watch: the handler is not called again, not even for what has been reported already. May be repeated.
  package func cancel() {
    reactor.unregister(token, descriptor)
  }

  isolated deinit {
    cancel()
  }
}

extension Watch.Interest {
  /// The same in the kernel's words. The peer's end of sending is news only to those who read.
  var epollEvents: UInt32 {
    var events: UInt32 = 0
    if contains(.readable) { events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
    if contains(.writable) { events |= EPOLLOUT.rawValue }
    return events
  }
}

extension Watch.Readiness {
  /// What the kernel reported, less what has been unwanted since it did.
  init(epollEvents events: UInt32, interest: Watch.Interest) {
    let wanted = events & (interest.epollEvents | EPOLLHUP.rawValue | EPOLLERR.rawValue)
    self = []
    if wanted & EPOLLIN.rawValue != 0 { insert(.readable) }
    if wanted & EPOLLOUT.rawValue != 0 { insert(.writable) }
    if wanted & EPOLLRDHUP.rawValue != 0 { insert(.peerFinished) }
    if wanted & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { insert(.hangUp) }
  }
}
