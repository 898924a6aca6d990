// SPDX-License-Identifier: Apache-2.0
//
// The beginning of a process that has a predecessor: what that left in the service manager's keeping is taken out of it
// and sorted. It is out before any of it is used: a process that is killed a moment later must not leave the same words
// to be said twice.
//
// Every descriptor has its one place in the list or is closed. Nothing here stops the daemon from starting.

import HostRuntime

/// Takes what an earlier process left.
@Loop
enum TakingOver {
  /// A connection of an earlier process, with its peer as the kernel knows it.
  struct Arrival {
    let entry: Handover.Entry
    let socket: StreamSocket
    let peer: PeerCredentials
  }

  /// The connections to go on with, in their order. What cannot be used is closed, and `log` says so in one line.
  static func arrivals(from handed: HandedDescriptors, log: Log) -> [Arrival] {
    guard !handed.others.isEmpty else { return [] }
    forget(Set(handed.others.map(\.name)), log: log)
    let byName = Dictionary(grouping: handed.others, by: \.name)
    do throws(HandoverError) {
      let entries = try list(byName[Handover.fileName] ?? []).entries
      return entries.enumerated().compactMap { place, entry in
        arrival(entry, byName[Handover.name(entry.role, place)] ?? [])
      }
    } catch {
      log.write(.notTakenOver(connections: handed.others.count - 1, error))
      return []
    }
  }

  /// Has the manager let go of everything, so that it is ours alone.
  private static func forget(_ names: Set<String>, log: Log) {
    do throws(SystemError) {
      var store = DescriptorStore()
      for name in names { try store.remove(name) }
      try store.settle()
    } catch {
      log.write(.notForgotten(error))
    }
  }

  private static func list(_ files: [(name: String, descriptor: Descriptor)]) throws(HandoverError) -> Handover {
    guard files.count == 1, let bytes = SealedFile.read(files[0].descriptor, atMost: 2 * Handover.limitBytes) else {
      throw .damaged
    }
    return try Handover(parsing: bytes)
  }

  private static func arrival(
    _ entry: Handover.Entry, _ candidates: [(name: String, descriptor: Descriptor)]
  ) -> Arrival? {
    guard candidates.count == 1, let socket = try? StreamSocket(inherited: candidates[0].descriptor),
      let peer = try? PeerCredentials(of: socket)
    else { return nil }
    return Arrival(entry: entry, socket: socket, peer: peer)
  }
}
