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
  /// Gives the connections into the manager's keeping, and tells how many it has. Throws where it takes none.
  static func give(_ departures: [Connection.Departure]) throws(SystemError) -> Int {
    guard Notifier.isHeard, !departures.isEmpty else { return 0 }
    let leaving = fitting(departures.sorted { ($0.role.rawValue, $0.turn) < ($1.role.rawValue, $1.turn) })
    let file = try SealedFile.make("consentd-handover", leaving.handover.encoded())
    var store = DescriptorStore()
    try store.put(file, as: Handover.fileName)
    for (place, socket) in leaving.sockets.enumerated() {
      try store.put(socket.descriptor, as: Handover.name(leaving.handover.entries[place].role, place))
    }
    try store.settle()
    return leaving.sockets.count
  }

  /// The first of the connections that fit into one list.
  private static func fitting(
    _ departures: [Connection.Departure]
  ) -> (handover: Handover, sockets: [StreamSocket]) {
    var handover = Handover()
    var sockets: [StreamSocket] = []
    var bytes = 0
    for departure in departures {
      let entry = Handover.Entry(
        role: departure.role, remainder: departure.remainder, resumption: departure.resumption)
      let size = entry.encodedCount
      guard bytes + size <= Handover.limitBytes else { continue }
      bytes += size
      handover.entries.append(entry)
      sockets.append(departure.socket)
    }
    return (handover, sockets)
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
