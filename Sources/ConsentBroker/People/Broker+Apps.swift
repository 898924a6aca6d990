// SPDX-License-Identifier: Apache-2.0
//
// Who is asking here: the registered apps, and every name under which something has asked without being one.

package import ConsentModel
import ConsentStore

extension Broker {
  /// One page of the apps in the order of their ids, whatever has none first, and where the next page starts.
  package func apps(after: String?, limit: Int) throws(Refusal) -> (apps: [KnownApp], next: String?) {
    let registered = rules.apps.entries.map(\.id.text).filter { after == nil || $0 > after ?? "" }
    return try read { rows in
      let asking = try rows.askingApps(after: after, limit: limit + 1)
      let ids = Set(registered.prefix(limit + 1)).union(asking).sorted()
      let page = ids.prefix(limit)
      return (try page.map { try self.app($0, in: rows) }, page.count < ids.count ? page.last : nil)
    }
  }

  /// One app. Throws `invalidValue` where it neither has an entry nor has ever asked.
  package func app(_ id: AppID) throws(Refusal) -> KnownApp {
    let app = try read { try self.app(id.text, in: $0) }
    guard app.entry != nil || !app.uids.isEmpty else {
      throw .invalidValue(field: "app", rule: "one that has an entry in apps.d, or has asked here")
    }
    return app
  }

  private func app(_ text: String, in rows: any StoreReader) throws -> KnownApp {
    let askers = try rows.askers(as: text)
    let id = try Asker(AskerKey(uid: 0, app: text)).app
    return KnownApp(
      id: id, entry: id.flatMap { rules.apps.entry($0) }, uids: askers.map(\.asker.uid),
      questions: askers.map(\.questions).reduce(0, +),
      lastAskedAt: askers.compactMap(\.lastAskedAt).max().map { Instant(usec: $0) })
  }
}
