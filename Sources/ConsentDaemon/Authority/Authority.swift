// SPDX-License-Identifier: Apache-2.0
//
// Who may do what. The sockets are open to everybody: this file is the only door.
//
// It answers from the peer's uid, the administrator's files and who is whose guardian, and from nothing a caller says.
// Names a caller gives select among what is allowed anyway. In a sandbox one uid plays every role.

import ConsentBroker
import ConsentInterface
import ConsentModel

/// The rights of peers. What it rests on can be read anew; each call is judged by what stands when it comes.
final class Authority {
  let isSandbox: Bool
  private(set) var administrators: Set<UserID>
  private(set) var apps: AppRegistry

  init(isSandbox: Bool, administrators: Set<UserID>, apps: AppRegistry) {
    self.isSandbox = isSandbox
    self.administrators = administrators
    self.apps = apps
  }

  /// Puts a configuration that was read anew in force.
  func adopt(_ configuration: Configuration) {
    administrators = configuration.administrators
    apps = configuration.apps
  }

  /// As whom, and about whom, a peer speaks on the apps' socket.
  struct Speaker {
    let asker: Asker
    let provenance: Provenance
    let person: Person
    /// The person a list is about; `nil` for a registered service that named none: all its accounts.
    let subject: Person?
  }

  /// What a peer may say on the apps' socket with the app and person it names.
  /// Throws `notPermitted` for another's app id and another person.
  func speaker(_ peer: some Peer, _ speaking: Speaking) throws(Refusal) -> Speaker {
    let entry = try entry(named: speaking.app, by: peer)
    let app = entry?.id ?? speaking.app
    let provenance: Provenance = entry != nil ? .registered : app != nil ? .claimed : .unidentified
    let person = speaking.person ?? .user(peer.uid)
    guard isSandbox || mayAsk(peer, entry, about: person) else {
      throw .notPermitted(reason: "uid \(peer.uid) may ask about itself only")
    }
    let subject = speaking.person ?? (entry == nil ? person : nil)
    return Speaker(
      asker: Asker(uid: peer.uid, app: app), provenance: provenance, person: person, subject: subject)
  }

  private func entry(named app: AppID?, by peer: some Peer) throws(Refusal) -> AppEntry? {
    guard let app else { return apps.entry(matching: peer) }
    guard let entry = apps.entry(app) else { return nil }
    guard isSandbox || entry.matches(peer) else {
      throw .notPermitted(reason: "the app id \(app) is registered to somebody else")
    }
    return entry
  }

  private func mayAsk(_ peer: some Peer, _ entry: AppEntry?, about person: Person) -> Bool {
    switch person {
    case .user(let uid): uid == peer.uid
    case .account(let app, _): entry?.id == app
    }
  }

  /// For whom a peer looks and answers on the guardians' socket.
  /// Throws `notPermitted` where it names a guardian it may not speak for.
  func viewer(_ peer: some Peer, speakingFor guardian: Guardian? = nil) throws(Refusal) -> Viewer {
    if isSandbox { return Viewer(peer: peer.uid, role: .everyone(speaker: guardian)) }
    guard let guardian else { return Viewer(peer: peer.uid, role: .peer) }
    guard apps.speaker(for: guardian) == peer.uid else {
      throw .notPermitted(reason: "uid \(peer.uid) may not answer for \(guardian)")
    }
    return Viewer(peer: peer.uid, role: .guardian(guardian))
  }

  /// Throws `notPermitted` unless the peer may enrol, change, export and erase this person: an administrator everybody,
  /// a registered service its own accounts.
  func requireAuthority(_ peer: some Peer, over person: Person) throws(Refusal) {
    guard isAdministrator(peer) || service(peer, of: person) != nil else {
      throw .notPermitted(
        reason: "only uid 0, the configured administrators, and a registered service for its own accounts may do this")
    }
  }

  /// Throws `notPermitted` unless the peer may say that `guardian` answers for this person, or does no longer. A service
  /// says so of its own contacts: whom it names otherwise is for an administrator to say.
  func requireAuthority(_ peer: some Peer, over person: Person, as guardian: Guardian) throws(Refusal) {
    try requireAuthority(peer, over: person)
    if isAdministrator(peer) { return }
    guard case .contact(let contactOf, _) = guardian, case .account(contactOf, _) = person else {
      throw .notPermitted(reason: "a service may name its own contacts alone, not \(guardian)")
    }
  }

  /// Whom a peer may list: everybody, or a registered service's accounts. Throws `notPermitted` for all others.
  func circle(_ peer: some Peer) throws(Refusal) -> Broker.Circle {
    if isAdministrator(peer) { return .everybody }
    let own = apps.entries(matching: peer).map(\.id)
    guard own.isEmpty else { return .accounts(of: own) }
    try requireAdministrator(peer)
    return .everybody
  }

  /// The registered service that `peer` is and whose account `person` is. In a sandbox one uid is every service.
  func service(_ peer: some Peer, of person: Person) -> AppID? {
    guard case .account(let app, _) = person else { return nil }
    return isSandbox || apps.entry(app)?.matches(peer) == true ? app : nil
  }

  /// Throws `notPermitted` unless the peer administers this machine's people.
  func requireAdministrator(_ peer: some Peer) throws(Refusal) {
    guard isAdministrator(peer) else {
      throw .notPermitted(reason: "only uid 0 and the configured administrators may do this")
    }
  }

  /// Whether the peer administers this machine's people.
  func isAdministrator(_ peer: some Peer) -> Bool { isAdministrator(peer.uid) }

  /// Whether this user administers this machine's people.
  func isAdministrator(_ uid: UserID) -> Bool { isSandbox || uid == 0 || administrators.contains(uid) }
}
