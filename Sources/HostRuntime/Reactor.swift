// SPDX-License-Identifier: Apache-2.0
//
// What the loop's thread does: run jobs, wait, hand what happened to its handler, again.
//
// Sockets stand in an epoll of our own. sd-event, which brings timers, signals and the watchdog, is one descriptor in
// it: as sources of sd-event's, 10,000 readable sockets would cost 10,000 passes over all of them, and each byte a
// second system call. A turn takes a bounded number of jobs, one batch of sockets and one of sd-event's sources, so that
// none can starve the others.

internal import CLinux
internal import CSystemd
internal import Glibc

/// The machinery behind `EventLoop`: the sockets' epoll, the table of who watches what, and sd-event.
@Loop
final class Reactor {
  /// The process's reactor, or why there can be none.
  static let process = Result { () throws(SystemError) in try Reactor() }

  /// How many jobs run before the kernel is asked again what happened.
  private static let jobsPerTurn = 1024
  /// How many ready sockets are served before everything else gets its turn.
  private static let socketsPerTurn = 512

  /// What a watch of a socket has asked for.
  struct Registration {
    var interest: Watch.Interest
    let handler: @Loop (Watch.Readiness) -> Void
  }

  /// The tokens of the reactor's own descriptors; those of watches are greater.
  private enum Token {
    static let alarm: UInt64 = 0
    static let events: UInt64 = 1
  }

  /// sd-event, for its sources' owners.
  let events: OpaquePointer
  private let loop = EventLoop.process
  private let alarm: Descriptor
  private let poll: Descriptor
  private var ready = [epoll_event](repeating: epoll_event(), count: socketsPerTurn)
  private var registrations: [UInt64: Registration] = [:]
  private var lastToken = Token.events
  private var eventsPrepared = false
  private var jobs: [EventLoop.Job] = []
  private var jobsTaken = 0
  /// None waited when last looked for, and the next to come sounds the alarm.
  private var isOutOfJobs = false

  private init() throws(SystemError) {
    var events: OpaquePointer?
    try SystemError.checkNegative(sd_event_new(&events), "sd_event_new")
    guard let events else { throw SystemError(call: "sd_event_new", errno: ENOMEM) }
    self.events = events
    alarm = try Descriptor(opening: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), "eventfd")
    poll = try Descriptor(opening: epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
    try control(EPOLL_CTL_ADD, alarm.number, token: Token.alarm, .readable)
    try control(EPOLL_CTL_ADD, sd_event_get_fd(events), token: Token.events, .readable)
  }
}

// MARK: Turning

extension Reactor {
  /// Runs the jobs that wait and those they bring, up to this turn's bound.
  func runJobs() {
    isOutOfJobs = false
    for _ in 0..<Self.jobsPerTurn {
      if jobsTaken == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        jobsTaken = 0
        loop.exchangeJobs(&jobs, alarm: alarm.number)
        isOutOfJobs = jobs.isEmpty
        if isOutOfJobs { return }
      }
      let job = jobs[jobsTaken]
      jobsTaken += 1
      loop.run(job)
    }
  }

  /// Waits for something to happen, not at all where jobs or events wait, and hands what happened to its handlers.
  /// Throws where the kernel refuses to be asked.
  func serve() throws(SystemError) {
    var eventIsDue = try prepareEvents()
    let mayWait = !eventIsDue && isOutOfJobs
    let count = epoll_wait(poll.number, &ready, Int32(ready.count), mayWait ? -1 : 0)
    let failure = errno
    loop.clearAlarm()
    guard count >= 0 || failure == EINTR else { throw SystemError(call: "epoll_wait", errno: failure) }
    for index in 0..<Int(max(0, count)) {
      switch ready[index].data.u64 {
      case Token.alarm: silenceAlarm()
      case Token.events: if !eventIsDue { eventIsDue = try awaitEvent() }
      case let token: call(token, ready[index].events)
      }
    }
    if eventIsDue { try SystemError.checkNegative(sd_event_dispatch(events), "sd_event_dispatch") }
  }

  private func silenceAlarm() {
    var count = eventfd_t()
    eventfd_read(alarm.number, &count)
  }
}

// MARK: Events

extension Reactor {
  /// A time source has changed: sd-event has to set its timer before the next wait.
  func timesChanged() {
    eventsPrepared = false
  }

  /// Lets sd-event make its sources ready to be waited for; true where one of them has waited already.
  private func prepareEvents() throws(SystemError) -> Bool {
    if eventsPrepared { return false }
    if sd_event_get_state(events) == SD_EVENT_ARMED, try awaitEvent() { return true }
    eventsPrepared = try SystemError.checkNegative(sd_event_prepare(events), "sd_event_prepare") == 0
    return !eventsPrepared
  }

  /// Has sd-event find out what happened; true where a source is to be dispatched.
  private func awaitEvent() throws(SystemError) -> Bool {
    eventsPrepared = false
    return try SystemError.checkNegative(sd_event_wait(events, 0), "sd_event_wait") > 0
  }
}

// MARK: Sockets

extension Reactor {
  /// Puts a descriptor into the sockets' epoll; gives the token that names this registration and no later one.
  func register(_ descriptor: Descriptor, _ registration: Registration) throws(SystemError) -> UInt64 {
    lastToken += 1
    try control(EPOLL_CTL_ADD, descriptor.number, token: lastToken, registration.interest)
    registrations[lastToken] = registration
    return lastToken
  }

  /// Changes what a registration waits for. The kernel refuses this only for a descriptor that is not registered.
  func setInterest(_ interest: Watch.Interest, of token: UInt64, on descriptor: Descriptor) {
    guard registrations[token] != nil else { return }
    registrations[token]?.interest = interest
    try? control(EPOLL_CTL_MOD, descriptor.number, token: token, interest)
  }

  /// Ends a registration; what the kernel has reported for it already goes nowhere.
  func unregister(_ token: UInt64, _ descriptor: Descriptor) {
    guard registrations.removeValue(forKey: token) != nil else { return }
    try? control(EPOLL_CTL_DEL, descriptor.number, token: token, [])
  }

  private func control(
    _ operation: Int32, _ number: Int32, token: UInt64, _ interest: Watch.Interest
  ) throws(SystemError) {
    var wanted = epoll_event(events: interest.epollEvents, data: epoll_data(u64: token))
    try SystemError.check(epoll_ctl(poll.number, operation, number, &wanted), "epoll_ctl")
  }

  /// Calls the handler of a watch, if the watch is still there and still wants to hear of it.
  private func call(_ token: UInt64, _ epollEvents: UInt32) {
    guard let registration = registrations[token] else { return }
    let readiness = Watch.Readiness(epollEvents: epollEvents, interest: registration.interest)
    if !readiness.isEmpty { registration.handler(readiness) }
  }
}
