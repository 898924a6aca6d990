// SPDX-License-Identifier: Apache-2.0
//
// posix_spawn(3) with exactly the descriptors, the variables and the default signals a test asks for.

internal import Glibc

/// What every program gets to see of the environment; nothing of the machine's own leaks into a test.
let standardEnvironment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"]

/// The two ends of a channel, both closed when another program is executed. A socket pair, because that can be asked
/// for in one step: a pipe marked a moment later would be held open by whatever another test starts in between.
struct Channel {
  let near: Int32
  let far: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestFailure(call: "socketpair", errno: errno) }
    (near, far) = (ends[0], ends[1])
  }
}

/// An open file whose name is gone already.
func namelessFile() throws -> Int32 {
  let path = "/tmp/consentd-\(UInt64.random(in: 0 ... .max))"
  let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw TestFailure(call: "open \(path)", errno: errno) }
  unlink(path)
  return descriptor
}

/// Starts `command`, whose descriptors 0, 1, 2, … become `descriptors` in this order, and gives its pid.
func spawn(_ command: [String], environment: [String: String], descriptors: [Int32]) throws -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  let sources = try descriptors.map { try duplicate($0, beyond: Int32(descriptors.count)) }
  defer { for source in sources { close(source) } }
  for (target, source) in sources.enumerated() {
    posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
  }
  var attributes = try defaultSignals()
  defer { posix_spawnattr_destroy(&attributes) }
  var pid: Int32 = 0
  let variables = environment.map { "\($0.key)=\($0.value)" }
  let code = withCStrings(command) { arguments in
    withCStrings(variables) { posix_spawnp(&pid, command[0], &actions, &attributes, arguments, $0) }
  }
  guard code == 0 else { throw TestFailure(call: "start \(command[0])", errno: code) }
  return pid
}

/// A copy of `descriptor` whose number none of the first `count` has, which are the targets of a hand-over.
private func duplicate(_ descriptor: Int32, beyond count: Int32) throws -> Int32 {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, count)
  guard copy >= 0 else { throw TestFailure(call: "fcntl", errno: errno) }
  return copy
}

private func defaultSignals() throws -> posix_spawnattr_t {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  var all = sigset_t()
  var none = sigset_t()
  sigfillset(&all)
  sigemptyset(&none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  return attributes
}

private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let pointers = strings.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
