// SPDX-License-Identifier: Apache-2.0
//
// A socket that listens: handed over by the service manager, or made at a path of our own. What stands at that path is
// removed only when it is a socket on which nobody listens any more. A lock file beside it, which stays, keeps two
// daemons that start together from removing each other's; it is ours alone to open, so nobody else can hold it.
//
// Everybody may connect to a socket of ours (mode 0666): who may do what is decided call by call, by the peer's uid.

internal import CLinux
internal import Glibc

/// Why there is no socket to listen on.
package enum ListenError: Error, Equatable, CustomStringConvertible {
  /// A process listens at the path, or is about to.
  case inUse(path: String)
  /// Something other than a socket stands at the path.
  case notASocket(path: String)
  case system(SystemError)

  package var description: String {
    switch self {
    case .inUse(let path): "\(path): another process serves this socket"
    case .notASocket(let path): "\(path): what stands here is not a socket"
    case .system(let error): error.description
    }
  }

  fileprivate static func wrapping<Value>(_ body: () throws(SystemError) -> Value) throws(ListenError) -> Value {
    do { return try body() } catch { throw .system(error) }
  }
}

/// A listening Unix stream socket in non-blocking mode.
package final class ListeningSocket: Sendable {
  let descriptor: Descriptor
  private let madePath: MadePath?

  /// A listening socket that the service manager made. Its path is the manager's, and stays.
  package init(inherited descriptor: Descriptor) throws(SystemError) {
    try SystemError.check(fcntl(descriptor.number, F_SETFL, O_NONBLOCK), "fcntl O_NONBLOCK")
    Self.refuseDescriptors(descriptor)
    self.descriptor = descriptor
    madePath = nil
  }

  /// A socket of our own at `path`, in place of one that nobody serves any more.
  package init(path: String) throws(ListenError) {
    let address = try ListenError.wrapping { () throws(SystemError) in try UnixAddress(path: path) }
    let lock = try Self.lock(path)
    try Self.removeUnserved(address)
    (descriptor, madePath) = try ListenError.wrapping { () throws(SystemError) in try Self.listen(at: address) }
    withExtendedLifetime(lock) {}
  }

  /// Removes the file of a socket of our own, if it is ours still.
  package func removePath() {
    madePath?.remove()
  }

  private static func lock(_ path: String) throws(ListenError) -> Descriptor {
    let name = "\(path).lock"
    let file = try ListenError.wrapping { () throws(SystemError) in
      try Descriptor(opening: open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600), "open \(name)")
    }
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .inUse(path: path) : .system(.last("flock \(name)"))
    }
    return file
  }

  /// Removes a socket on which nobody listens.
  private static func removeUnserved(_ address: UnixAddress) throws(ListenError) {
    var status = stat()
    guard lstat(address.path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: address.path) }
    let probe = try ListenError.wrapping(makeSocket)
    do {
      try address.connect(probe)
    } catch {
      guard error.errno == ECONNREFUSED else {
        throw error.errno == EAGAIN ? .inUse(path: address.path) : .system(error)
      }
      unlink(address.path)
      return
    }
    throw .inUse(path: address.path)
  }

  private static func listen(at address: UnixAddress) throws(SystemError) -> (Descriptor, MadePath) {
    let descriptor = try makeSocket()
    try address.bind(descriptor)
    let path = try MadePath(address.path)
    refuseDescriptors(descriptor)
    try SystemError.check(chmod(path.path, 0o666), "chmod \(path.path)")
    try SystemError.check(Glibc.listen(descriptor.number, SOMAXCONN), "listen \(path.path)")
    return (descriptor, path)
  }

  private static func makeSocket() throws(SystemError) -> Descriptor {
    try Descriptor(opening: linux_stream_socket(1), "socket")
  }

  /// Descriptors that peers send would be dropped unread; where the kernel can (Linux 6.16), it refuses them instead.
  private static func refuseDescriptors(_ descriptor: Descriptor) {
    _ = linux_refuse_descriptors(descriptor.number)
  }
}

/// The file that a bind of ours has made, recognised by its inode.
private struct MadePath: Sendable {
  let path: String
  private let device: dev_t
  private let inode: ino_t

  init(_ path: String) throws(SystemError) {
    var status = stat()
    try SystemError.check(lstat(path, &status), "lstat \(path)")
    self.path = path
    (device, inode) = (status.st_dev, status.st_ino)
  }

  func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
    unlink(path)
  }
}
