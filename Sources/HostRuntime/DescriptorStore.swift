// SPDX-License-Identifier: Apache-2.0
//
// The descriptors that the service manager keeps between two processes of one service (sd_notify(3), FDSTORE=1).
//
// A message carries one descriptor, because the name is the message's and every descriptor has its own. Some thousand
// messages at once would be a storm: after every few the manager is waited for. One that does not read is found out by
// that, and costs one wait, not one for each descriptor; one that reads slowly is given up in the end, and has what it
// has.

internal import Glibc

/// Puts descriptors into the manager's keeping and takes them out again.
package struct DescriptorStore {
  /// How many messages are sent before the manager is waited for.
  private static let messagesAtOnce = 64

  /// The longest that all of it together may take, microseconds: well below TimeoutStopSec= of the unit.
  private static let limitUSec: Int64 = 5_000_000

  private var messages = 0
  private let deadline: Int64

  package init() { deadline = HostClock.bootUSec() + Self.limitUSec }

  /// Has the manager keep a descriptor under `name`. It ignores what is more than the unit allows
  /// (FileDescriptorStoreMax=). Throws where it does not listen.
  package mutating func put(_ descriptor: Descriptor, as name: String) throws(SystemError) {
    try Notifier.send(.keep(name: name), with: descriptor)
    try count()
  }

  /// Has the manager let go of what it keeps under `name`.
  package mutating func remove(_ name: String) throws(SystemError) {
    try Notifier.send(.letGo(name: name))
    try count()
  }

  /// Returns when the manager has done all that. Throws where it does not in time.
  package func settle() throws(SystemError) { try Notifier.awaitManager() }

  private mutating func count() throws(SystemError) {
    messages += 1
    guard messages.isMultiple(of: Self.messagesAtOnce) else { return }
    try settle()
    guard HostClock.bootUSec() < deadline else {
      throw SystemError(call: "wait for the service manager", errno: ETIMEDOUT)
    }
  }
}
