// SPDX-License-Identifier: Apache-2.0
//
// consentd: the daemon.

import ConsentDaemon
import Glibc

@main
enum Program {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    exit(DaemonProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
