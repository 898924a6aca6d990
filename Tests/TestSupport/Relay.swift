// SPDX-License-Identifier: Apache-2.0
//
// A connection held by a process of another user, as authority has to be tested: the daemon sees that process's real
// uid and pid. The process moves bytes between its pipes and the socket and understands none of them.

/// Starts the process that stands between a test and a socket.
enum Relay {
  /// Runs the relay to the socket at `path` as `user`. What is written to its input goes to the socket; what comes
  /// back is on its output, which ends when the server closes, in whichever way it does.
  static func start(to path: String, as user: UInt32) throws -> Program {
    try Program("/usr/bin/python3", ["-I", "-S", "-c", script, path], wrappers: [.user(user)])
  }

  private static let script = """
    import os, socket, sys, threading
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])

    def hang_up():
        os._exit(0)

    def move(read, write, end):
        try:
            while data := read(65536):
                while data:
                    data = data[write(data):]
            end()
        except OSError:
            hang_up()

    def half_close():
        peer.shutdown(socket.SHUT_WR)

    threading.Thread(target=move, args=(lambda n: os.read(0, n), peer.send, half_close)).start()
    move(peer.recv, lambda data: os.write(1, data), hang_up)
    """
}
