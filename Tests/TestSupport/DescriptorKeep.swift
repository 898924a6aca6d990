// SPDX-License-Identifier: Apache-2.0
//
// The service manager's descriptor store (sd_notify(3), FDSTORE=1), held by a test, which may look into it and tamper
// with it between two processes.

internal import CLinux
internal import Glibc
internal import Synchronization

/// Descriptors by name, as many as a unit would allow.
package final class DescriptorKeep: Sendable {
  private struct State {
    var limit = 0
    var kept: [(name: String, descriptor: Int32)] = []
  }

  private let state = Mutex(State())

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// The most that are kept; more are closed.
  package var limit: Int {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// The names of what is kept, oldest first.
  package var names: [String] { state.withLock { $0.kept.map(\.name) } }

  /// What is kept, oldest first.
  var descriptors: [Int32] { state.withLock { $0.kept.map(\.descriptor) } }

  /// Acts on one message of a daemon.
  func hear(_ lines: [String], _ descriptors: [Int32]) {
    let name = lines.first { $0.hasPrefix("FDNAME=") }.map { String($0.dropFirst("FDNAME=".count)) } ?? "stored"
    if lines.contains("FDSTOREREMOVE=1") { remove(name) }
    if lines.contains("FDSTORE=1") {
      for descriptor in descriptors { keep(descriptor, as: name) }
    } else {
      for descriptor in descriptors { close(descriptor) }
    }
  }

  /// Closes everything of this name.
  package func remove(_ name: String) {
    state.withLock { state in
      for (_, descriptor) in state.kept.filter({ $0.name == name }) { close(descriptor) }
      state.kept.removeAll { $0.name == name }
    }
  }

  /// Calls everything of one name by another.
  package func rename(_ name: String, to other: String) {
    state.withLock { state in
      for place in state.kept.indices where state.kept[place].name == name { state.kept[place].name = other }
    }
  }

  /// Keeps a second descriptor of what has this name, under that name or another.
  package func duplicate(_ name: String, as other: String? = nil) {
    let found = state.withLock { state in state.kept.first { $0.name == name }?.descriptor }
    if let found { keep(fcntl(found, F_DUPFD_CLOEXEC, 3), as: other ?? name) }
  }

  /// Keeps something that is no connection: `/dev/null`.
  package func keepFile(as name: String) { keep(open("/dev/null", O_RDWR | O_CLOEXEC), as: name) }

  /// The content of the file of this name.
  package func content(of name: String) -> [UInt8] {
    let found = state.withLock { state in state.kept.first { $0.name == name }?.descriptor }
    guard let found else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(max(0, lseek(found, 0, SEEK_END))))
    _ = pread(found, &bytes, bytes.count, 0)
    return bytes
  }

  /// Puts another file in the place of the one of this name, sealed as a daemon seals unless told not to.
  package func replace(_ name: String, with content: [UInt8], sealed isSealed: Bool = true) {
    remove(name)
    let file = isSealed ? linux_sealed_file(name, content, content.count) : linux_memory_file(name)
    if !isSealed { _ = pwrite(file, content, content.count, 0) }
    keep(file, as: name)
  }

  private func keep(_ descriptor: Int32, as name: String) {
    state.withLock { state in
      guard state.kept.count < state.limit, descriptor >= 0 else {
        close(descriptor)
        return
      }
      state.kept.append((name, descriptor))
    }
  }
}

/// The next datagram and the descriptors that came along; `nil` when there are no more.
func receiveDatagram(from socket: Int32) -> (String, [Int32])? {
  var bytes = [UInt8](repeating: 0, count: 65_536)
  var control = [UInt8](repeating: 0, count: 4_096)
  let count = bytes.withUnsafeMutableBytes { bytes in
    control.withUnsafeMutableBytes { control in
      var content = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return withUnsafeMutablePointer(to: &content) { content in
        var message = msghdr()
        message.msg_iov = content
        message.msg_iovlen = 1
        message.msg_control = control.baseAddress
        message.msg_controllen = control.count
        return recvmsg(socket, &message, Int32(bitPattern: UInt32(MSG_CMSG_CLOEXEC)))
      }
    }
  }
  guard count > 0 else { return nil }
  return (String(decoding: bytes.prefix(count), as: UTF8.self), passedDescriptors(in: control))
}

/// The descriptors in one control message (cmsg(3)), zeros where there is none: a header of 16 bytes, then the numbers.
private func passedDescriptors(in control: [UInt8]) -> [Int32] {
  control.withUnsafeBytes { control in
    let header = control.load(as: cmsghdr.self)
    guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == Int32(SCM_RIGHTS) else { return [] }
    return stride(from: 16, to: min(Int(header.cmsg_len), control.count), by: 4).map {
      control.load(fromByteOffset: $0, as: Int32.self)
    }
  }
}
