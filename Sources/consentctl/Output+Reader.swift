// SPDX-License-Identifier: Apache-2.0
//
// A command that goes on for ever ends when nobody reads it any more, also while it has nothing to say. A pipe and a
// socket tell of that; a file and a terminal need nobody to read them.

import Glibc
import HostRuntime

extension Output {
  /// Runs `body` to its end, or until the reader of standard output has left, which is a failure without a word.
  @Loop func whileRead(_ body: @escaping @Loop () async throws -> ExitCode) async throws -> ExitCode {
    let stream = Descriptor(owning: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))
    var watch: Watch?
    defer { watch?.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      var first: CheckedContinuation<ExitCode, any Error>? = continuation
      watch = try? Watch(stream, interest: []) { _ in
        watch?.cancel()
        first.take()?.resume(throwing: CommandFailure(exit: .failure, message: nil))
      }
      Loop.perform {
        do {
          let code = try await body()
          first.take()?.resume(returning: code)
        } catch {
          first.take()?.resume(throwing: error)
        }
      }
    }
  }
}
