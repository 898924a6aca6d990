// SPDX-License-Identifier: Apache-2.0
//
// A real `consentd` in a directory of the test's own: started, known to serve by what it told the service manager,
// killed, stopped, started again on the same store. It never touches the machine's own daemon, and it is gone when the
// test is.

internal import Glibc

/// One consentd process after another on one store.
package final class Daemon {
  /// How a daemon is started and where its two sockets are.
  package struct Setup: Sendable {
    package var arguments: [String]
    package var environment: [String: String] = [:]
    package var wrappers: [Program.Wrapper] = []
    /// Listening sockets handed over as descriptors 3, 4, …
    package var sockets: [ListeningSocket] = []
    /// Their names, where the notify socket's store is to be handed over with them, as a service manager does.
    package var names: [String] = []
    package var apps: String
    package var guardians: String
  }

  package let directory: TemporaryDirectory
  package var setup: Setup
  package let notify: NotifySocket
  package private(set) var program: Program
  private var judges: [String: DescriptionJudge] = [:]

  /// Starts `consentd` as `setup` says and returns when it has said `READY=1`.
  package init(in directory: TemporaryDirectory, setup: Setup) throws {
    self.directory = directory
    self.setup = setup
    notify = try NotifySocket(path: directory.file("notify"))
    program = try Daemon.launch(setup, notify)
    try notify.wait(for: program) { $0 == "READY=1" }
  }

  /// A new connection to the apps' socket, as `user` or as this process. Every reply is checked against the
  /// descriptions the daemon gives of itself.
  package func apps(as user: UInt32? = nil) throws -> TestClient { try client(setup.apps, user) }

  /// The same to the guardians' socket.
  package func guardians(as user: UInt32? = nil) throws -> TestClient { try client(setup.guardians, user) }

  /// SIGKILL, and its end is awaited.
  package func kill() throws {
    program.signal(SIGKILL)
    try program.waitForExit()
  }

  /// SIGTERM, and its end is awaited. Gives how it ended and how long that took.
  package func stop() throws -> (exit: Exit, time: Duration) {
    let start = ContinuousClock.now
    program.signal(SIGTERM)
    let exit = try program.waitForExit()
    return (exit, start.duration(to: .now))
  }

  /// Starts it again on the same store, and returns when it serves.
  package func start() throws {
    try notify.collect()
    notify.forget()
    program = try Daemon.launch(setup, notify)
    try notify.wait(for: program) { $0 == "READY=1" }
  }

  private func client(_ path: String, _ user: UInt32?) throws -> TestClient {
    let judge = try judges[path] ?? DescriptionJudge(of: path)
    judges[path] = judge
    guard let user else { return try TestClient(path: path, judge: judge) }
    return try TestClient(path: path, as: user, judge: judge)
  }

  private static func launch(_ setup: Setup, _ notify: NotifySocket) throws -> Program {
    var environment = setup.environment.merging(["NOTIFY_SOCKET": notify.path]) { $1 }
    var descriptors = setup.sockets.map(\.descriptor)
    if !setup.names.isEmpty {
      descriptors += notify.store.descriptors
      environment["LISTEN_FDS"] = String(descriptors.count)
      environment["LISTEN_FDNAMES"] = (setup.names + notify.store.names).joined(separator: ":")
    }
    return try Program(
      try Program.path(of: "consentd", forAnyone: setup.wrappers.contains(where: \.isUser)), setup.arguments,
      environment: environment, wrappers: setup.wrappers, handingOver: descriptors)
  }
}

extension Daemon {
  /// A daemon in its sandbox, where one uid plays every role; with `configuration` as its file, where one is given.
  package static func sandbox(
    environment: [String: String] = [:], wrappers: [Program.Wrapper] = [], configuration: String? = nil
  ) throws -> Daemon {
    let directory = try TemporaryDirectory()
    let place = directory.file("sandbox")
    if let configuration {
      mkdir(place, 0o700)
      try directory.write(configuration, to: "sandbox/consentd.json5")
    }
    let setup = Setup(
      arguments: ["--sandbox", place], environment: environment, wrappers: wrappers,
      apps: "\(place)/org.consentd.Permission", guardians: "\(place)/org.consentd.Guardian")
    return try Daemon(in: directory, setup: setup)
  }

  /// A sandbox daemon under a service manager that makes its sockets and keeps descriptors for the next process.
  package static func managed() throws -> Daemon {
    let directory = try TemporaryDirectory()
    let place = directory.file("sandbox")
    return try managed(Setup(arguments: ["--sandbox", place], apps: "", guardians: ""), in: directory)
  }

  /// A daemon as `setup` says, and besides under such a service manager.
  package static func managed(_ setup: Setup, in directory: TemporaryDirectory) throws -> Daemon {
    var setup = setup
    setup.apps = directory.file("apps")
    setup.guardians = directory.file("guardians")
    setup.sockets = [try ListeningSocket(path: setup.apps), try ListeningSocket(path: setup.guardians)]
    setup.names = ["apps", "guardians"]
    setup.wrappers.append(.listening)
    let daemon = try Daemon(in: directory, setup: setup)
    daemon.notify.store.limit = 4_097
    return daemon
  }

  /// A daemon as a machine runs it, with `configuration` as its file. Any user may connect.
  /// - Parameters:
  ///   - wrappers: how else it is started.
  ///   - user: whom it runs as, which needs root; without one, as this process does.
  ///   - apps: the files of `apps.d` by name.
  package static func plain(
    wrappers: [Program.Wrapper] = [], user: UInt32? = nil, configuration: String = "{}", apps: [String: String] = [:]
  ) throws -> Daemon {
    let directory = try TemporaryDirectory()
    var setup = try plainSetup(in: directory, user: user, configuration: configuration, apps: apps)
    setup.wrappers += wrappers
    return try Daemon(in: directory, setup: setup)
  }

  /// How a daemon as a machine runs it is started below `directory`, which is laid out for it: sockets in `run`, the
  /// store in `state`.
  package static func plainSetup(
    in directory: TemporaryDirectory, user: UInt32? = nil, configuration: String = "{}", apps: [String: String] = [:]
  ) throws -> Setup {
    let (run, state, file) = (directory.file("run"), directory.file("state"), directory.file("consentd.json5"))
    chmod(directory.path, 0o755)
    mkdir(run, 0o755)
    mkdir(state, 0o700)
    mkdir(directory.file("apps.d"), 0o755)
    if let user {
      for path in [run, state] where chown(path, user, user) != 0 { throw TestFailure(call: "chown", errno: errno) }
    }
    try directory.write(configuration, to: "consentd.json5")
    for (name, text) in apps { try directory.write(text, to: "apps.d/\(name)") }
    return Setup(
      arguments: ["--runtime-directory", run, "--state-directory", state, "--config", file],
      wrappers: user.map { [.user($0)] } ?? [],
      apps: "\(run)/org.consentd.Permission", guardians: "\(run)/org.consentd.Guardian")
  }
}
