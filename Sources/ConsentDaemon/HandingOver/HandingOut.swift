// SPDX-License-Identifier: Apache-2.0
//
// The end of a process that has a successor: what is under way goes into the service manager's keeping.
//
// The list goes first. Wherever the manager stops listening after that, what it has makes sense: words without a
// connection are passed over. What it does not get ends with the process, and its callers come back by id.

import ConsentInterface
import HostRuntime

/// Leaves connections to the next process.
@Loop
enum HandingOut {
  /// Gives the connections into the manager's keeping, and tells how many it has. Throws where it does not listen.
  static func give(_ departures: [Connection.Departure]) throws(SystemError) -> Int {
    guard Notifier.isHeard, !departures.isEmpty else { return 0 }
    let leaving = fitting(departures)
    let file = try SealedFile.make("consentd-handover", Handover(entries: leaving.map(\.entry)).encoded())
    var store = DescriptorStore()
    try store.put(file, as: Handover.fileName)
    for (place, departure) in leaving.enumerated() {
      try store.put(departure.socket.descriptor, as: Handover.name(departure.entry.role, place))
    }
    try store.settle()
    return leaving.count
  }

  /// The connections that fit into one list: companions before callers where there are too many. In the list, callers
  /// come first, in the order in which they began to wait, so that they are there again when companions look.
  private static func fitting(_ departures: [Connection.Departure]) -> [Connection.Departure] {
    var bytes = 0
    let chosen = departures.sorted { $0.turn < $1.turn }.grouped(.guardians, .apps).filter { departure in
      let size = departure.entry.encodedCount
      guard bytes + size <= Handover.limitBytes else { return false }
      bytes += size
      return true
    }
    return Array(chosen.prefix(Handover.limit)).grouped(.apps, .guardians)
  }
}

extension [Connection.Departure] {
  /// Those of one role, then those of another.
  fileprivate func grouped(_ first: SocketRole, _ second: SocketRole) -> [Connection.Departure] {
    filter { $0.entry.role == first } + filter { $0.entry.role == second }
  }
}

extension Handover.Entry {
  /// How many bytes the record takes.
  fileprivate var encodedCount: Int {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes.count
  }
}
