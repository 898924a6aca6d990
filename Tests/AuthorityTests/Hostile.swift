// SPDX-License-Identifier: Apache-2.0
//
// A user who takes what it can get, and one who only wants to be served: processes of their own, of two uids, each on a
// processor that a test gives it. Written in Python, which spends its time in the same system calls as anything would.

import TestSupport

/// A process of a hostile user.
enum Hostile {
  /// What it does, as fast as it can, until it is killed.
  enum Attack: String, CaseIterable {
    /// Connects, calls and hangs up.
    case storm
    /// Calls over many connections, as many at once as they take, and reads the answers.
    case flood
    /// Calls over many connections and never reads.
    case mute
    /// Sends messages without an end over many connections.
    case half
  }

  /// Starts an attack on the socket at `path`.
  static func start(_ attack: Attack, on path: String, as user: UInt32, processor: Int) throws -> Program {
    try Program(
      "/usr/bin/python3", ["-I", "-S", "-c", attacks, path, attack.rawValue],
      wrappers: [.user(user), .processor(processor)])
  }

  /// Starts a process that takes `connections` connections, sends `text` over each (`$` stands for a NUL) and holds them; it says "held" when
  /// that is done and lives until it is killed.
  static func hold(
    _ connections: Int, sending text: String, on path: String, as user: UInt32
  ) throws -> Program {
    try Program(
      "/usr/bin/python3", ["-I", "-S", "-c", holding, path, "\(connections)", text], wrappers: [.user(user)])
  }

  private static let attacks = """
    import socket, sys
    path, attack = sys.argv[1:]
    call = b'{"method":"org.consentd.Permission.GetStatus","parameters":{"topic":' \\
        b'{"kind":"significantUpdate","change":"2.0"}}}\\0'
    many = call * 500
    half = b' ' * 65536

    def connect():
        s = socket.socket(socket.AF_UNIX)
        s.setblocking(False)
        try:
            s.connect(path)
        except OSError:
            s.close()
            return None
        return s

    def turn(s):
        try:
            if attack == 'storm':
                s.send(call)
                s.close()
                return None
            s.send(half if attack == 'half' else many)
            if attack == 'flood':
                while s.recv(65536): pass
                return None
        except BlockingIOError:
            return s
        except OSError:
            s.close()
            return None
        return s

    peers = [None] * (1 if attack == 'storm' else 100)
    while True:
        for n, peer in enumerate(peers):
            peers[n] = turn(peer) if peer else connect()
    """

  private static let holding = """
    import socket, sys, time
    path, count, text = sys.argv[1:]
    peers = []
    for _ in range(int(count)):
        s = socket.socket(socket.AF_UNIX)
        s.connect(path)
        try:
            s.sendall(text.encode().replace(b'$', b'\\0'))
        except OSError:
            pass
        peers.append(s)
    print("held", flush=True)
    time.sleep(1000)
    """
}

/// A user's process that asks for a status again and again, and measures how long that takes.
struct MeasuredClient {
  private let program: Program

  /// Connects to the socket at `path` as `user`, on `processor` alone.
  init(on path: String, as user: UInt32, processor: Int) throws {
    program = try Program(
      "/usr/bin/python3", ["-I", "-S", "-c", Self.client, path],
      wrappers: [.user(user), .processor(processor), .urgent])
  }

  /// The microseconds of each of `count` calls, one after the other. Fails where one is not answered with a status.
  func measure(_ count: Int) throws -> [Int] {
    try program.write("\(count)\n")
    let line = try program.readLine() ?? ""
    let times = line.split(separator: " ").compactMap { Int($0) }
    guard times.count == count else { throw TestFailure("\(line.suffix(300)) \(program.errors)") }
    return times
  }

  private static let client = """
    import socket, sys, time
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])
    call = b'{"method":"org.consentd.Permission.GetStatus","parameters":{"topic":' \\
        b'{"kind":"significantUpdate","change":"2.0"}}}\\0'
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            time.sleep(0.001)
            start = time.perf_counter()
            peer.sendall(call)
            reply = peer.recv(65536)
            times.append(int((time.perf_counter() - start) * 1e6))
            if b'"status"' not in reply:
                print(reply, flush=True)
                sys.exit(1)
        print(*times, flush=True)
    """
}
