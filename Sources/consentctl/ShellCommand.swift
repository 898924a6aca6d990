// SPDX-License-Identifier: Apache-2.0
//
// A command of the user's, run once for an object on its standard input. The input is a file in memory: it takes all
// of it at once, so a command that does not read holds nobody up, and one that ends early breaks no pipe.

import CLinux
import Glibc
import HostRuntime
import StrictJSON

/// One run of a shell command.
@Loop
struct ShellCommand {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Runs the command to its end with `environment` added to this program's. Gives what went wrong: that it failed, or
  /// could not be run.
  func run(input: JSONObject, environment: [(name: String, value: String)] = []) async -> String? {
    do throws(SystemError) {
      let status = try await exitStatus(of: try spawn(try ShellCommand.file(holding: input), environment))
      return status == 0 ? nil : Messages.commandFailed(status: status)
    } catch {
      return Messages.commandNotRun(error.description)
    }
  }

  private static func file(holding object: JSONObject) throws(SystemError) -> Descriptor {
    let number = linux_memory_file("consentctl-input")
    guard number >= 0 else { throw SystemError(call: "memfd_create", errno: errno) }
    let file = Descriptor(owning: number)
    let bytes = object.encoded() + [UInt8(ascii: "\n")]
    guard write(number, bytes, bytes.count) == bytes.count else { throw SystemError(call: "write", errno: errno) }
    lseek(number, 0, SEEK_SET)
    return file
  }

  private func spawn(
    _ input: Descriptor, _ additions: [(name: String, value: String)]
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
    var defaults = sigset_t()
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = ["/bin/sh", "-c", text]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var variables = ShellCommand.variables(with: additions)
    defer { for variable in variables { free(variable) } }
    var child = pid_t()
    let failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, &variables)
    guard failure == 0 else { throw SystemError(call: "run /bin/sh", errno: failure) }
    return child
  }

  /// This program's environment, byte for byte, with `additions` in place of what has their names. To be freed.
  private static func variables(
    with additions: [(name: String, value: String)]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var place = environ
    while let variable = place.pointee {
      if !additions.contains(where: { strncmp(variable, "\($0.name)=", $0.name.utf8.count + 1) == 0 }) {
        variables.append(strdup(variable))
      }
      place += 1
    }
    return variables + additions.map { strdup("\($0.name)=\($0.value)") } + [nil]
  }

  /// Waits for the child's end without holding the loop up.
  private func exitStatus(of child: pid_t) async throws(SystemError) -> Int32 {
    let number = linux_process(child)
    guard number >= 0 else { throw SystemError(call: "pidfd_open", errno: errno) }
    try await Pause.wait(untilReadable: Descriptor(owning: number))
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}
