// SPDX-License-Identifier: Apache-2.0
//
// The only door: what a peer may say follows from its uid and the administrator's files, and from nothing it says.

import ConsentBroker
import ConsentInterface
import ConsentModel
import StrictJSON
import Testing

@testable import ConsentDaemon

/// The apps' socket: as whom and about whom a peer speaks.
@Suite struct SpeakerTests {
  private func speaker(
    _ peer: TestPeer, app: String? = nil, about person: String? = nil, _ authority: Authority = .of()
  ) throws -> Authority.Speaker {
    var parameters = JSONObject()
    parameters["app"] = app.map(JSON.string)
    parameters["person"] = person.map(JSON.string)
    return try authority.speaker(peer, try Speaking(parameters))
  }

  private func refused(_ body: () throws -> Authority.Speaker) {
    do {
      _ = try body()
      Issue.record("not refused")
    } catch Refusal.notPermitted {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func `a program without a name asks for its own uid`() throws {
    let found = try speaker(.mia)
    #expect(found.asker == Asker(uid: 1001, app: nil))
    #expect(found.provenance == .unidentified)
    #expect(found.person == .user(1001))
  }

  @Test func `a name that nobody registered is a claim`() throws {
    let found = try speaker(.mia, app: "org.example.Game", about: "uid:1001")
    #expect(found.asker == Asker(uid: 1001, app: .game))
    #expect(found.provenance == .claimed)
  }

  @Test func `what runs as a registered app's uid is that app, named or not`() throws {
    for app in [nil, "org.example.Chat"] {
      let found = try speaker(.chat, app: app)
      #expect(found.asker == Asker(uid: 990, app: .chat))
      #expect(found.provenance == .registered)
      #expect(found.person == .user(990))
    }
    #expect(try speaker(.chat, app: "org.example.Game").provenance == .claimed)
  }

  @Test func `a registered name is nobody else's to claim`() {
    for peer in [TestPeer.mia, .ann, .root, .bridge] {
      refused { try speaker(peer, app: "org.example.Chat") }
    }
  }

  @Test(arguments: ["uid:1000", "uid:0", "account:org.example.Chat/kim"])
  func `nobody asks about others`(person: String) {
    refused { try speaker(.mia, about: person) }
    refused { try speaker(.mia, app: "org.example.Game", about: person) }
  }

  @Test func `root and administrators ask about themselves only, too`() {
    refused { try speaker(.root, about: "uid:1001") }
    refused { try speaker(.ann, about: "uid:1001") }
  }

  @Test func `a registered service asks about its own accounts and no others`() throws {
    let found = try speaker(.chat, about: "account:org.example.Chat/kim")
    #expect(found.person == .account(app: .chat, opaque: "kim"))
    refused { try speaker(.chat, about: "account:org.example.Game/kim") }
    refused { try speaker(.chat, about: "uid:1001") }
    refused { try speaker(.chat, app: "org.example.Game", about: "account:org.example.Game/kim") }
    refused { try speaker(.chat, app: "org.example.Game", about: "account:org.example.Chat/kim") }
  }

  @Test func `a list is about the caller, or about all accounts of a registered service that names none`() throws {
    #expect(try speaker(.mia).subject == .user(1001))
    #expect(try speaker(.mia, app: "org.example.Game").subject == .user(1001))
    #expect(try speaker(.chat).subject == nil)
    #expect(try speaker(.chat, app: "org.example.Game").subject == .user(990))
    let kim = Person.account(app: .chat, opaque: "kim")
    #expect(try speaker(.chat, about: kim.description).subject == kim)
  }

  @Test func `an entry with a unit counts for that unit alone`() throws {
    let authority = Authority.of([.of(.chat, uid: 990, unit: "chat.service")])
    #expect(try speaker(TestPeer(uid: 990, unit: "chat.service"), authority).provenance == .registered)
    for unit in [nil, "other.service", "chat.service2", ""] {
      #expect(try speaker(TestPeer(uid: 990, unit: unit), authority).provenance == .unidentified)
      refused { try speaker(TestPeer(uid: 990, unit: unit), app: "org.example.Chat", authority) }
      refused { try speaker(TestPeer(uid: 990, unit: unit), about: "account:org.example.Chat/kim", authority) }
    }
    refused { try speaker(TestPeer(uid: 1001, unit: "chat.service"), app: "org.example.Chat", authority) }
  }

  @Test func `where two apps share a uid, the program says which it is`() throws {
    let authority = Authority.of([.of(.chat, uid: 990), .of(.game, uid: 990)])
    #expect(try speaker(.chat, authority).asker == Asker(uid: 990, app: nil))
    #expect(try speaker(.chat, authority).provenance == .unidentified)
    #expect(try speaker(.chat, app: "org.example.Game", authority).provenance == .registered)
  }

  @Test func `in a sandbox one uid asks as any app about anybody`() throws {
    let authority = Authority.of(isSandbox: true)
    let registered = try speaker(.mia, app: "org.example.Chat", about: "account:org.example.Chat/kim", authority)
    #expect(registered.provenance == .registered)
    #expect(registered.asker == Asker(uid: 1001, app: .chat))
    #expect(try speaker(.mia, app: "org.example.Game", about: "uid:7", authority).provenance == .claimed)
    #expect(try speaker(.mia, authority).person == .user(1001))
  }

  private func speaker(_ peer: TestPeer, _ authority: Authority) throws -> Authority.Speaker {
    try speaker(peer, app: nil, about: nil, authority)
  }
}

/// The guardians' socket: for whom a peer looks and answers.
@Suite struct ViewerTests {
  private let contact = Guardian.contact(app: .chat, opaque: "nan")

  @Test func `a peer is the guardian of its own uid`() throws {
    #expect(try Authority.of().viewer(TestPeer.ann) == Viewer(peer: 1000, role: .peer))
    #expect(
      try Authority.of().viewer(TestPeer.ann, speakingFor: .user(1000))
        == Viewer(peer: 1000, role: .guardian(.user(1000))))
    #expect(try Authority.of().viewer(TestPeer.root) == Viewer(peer: 0, role: .peer))
  }

  @Test func `a bridge speaks for its service's contacts`() throws {
    #expect(
      try Authority.of().viewer(TestPeer.bridge, speakingFor: contact) == Viewer(peer: 991, role: .guardian(contact)))
  }

  @Test func `nobody else speaks for anybody else`() {
    for peer in [TestPeer.root, .ann, .mia, .chat] { refused(peer, contact) }
    for peer in [TestPeer.root, .mia, .bridge] { refused(peer, .user(1000)) }
    refused(.bridge, .contact(app: .game, opaque: "nan"))
  }

  @Test func `without a bridge in the entry there is none`() {
    refused(.chat, contact, .of([.of(.chat, uid: 990)]))
    refused(.bridge, contact, .of([]))
  }

  @Test func `in a sandbox one uid speaks for everybody`() throws {
    let authority = Authority.of(isSandbox: true)
    #expect(try authority.viewer(TestPeer.mia) == Viewer(peer: 1001, role: .everyone(speaker: nil)))
    #expect(
      try authority.viewer(TestPeer.mia, speakingFor: contact) == Viewer(peer: 1001, role: .everyone(speaker: contact)))
  }

  private func refused(_ peer: TestPeer, _ guardian: Guardian, _ authority: Authority = .of()) {
    let reason = "uid \(peer.uid) may not answer for \(guardian)"
    #expect(throws: Refusal.notPermitted(reason: reason)) { try authority.viewer(peer, speakingFor: guardian) }
  }
}

/// What a registered service may do without being an administrator.
@Suite struct ServiceRightsTests {
  private let kim = Person.account(app: .chat, opaque: "kim")
  private let nan = Guardian.contact(app: .chat, opaque: "nan")
  /// The chat, narrowed to its unit, and a game that runs as the same uid.
  private let shared = Authority.of([
    .of(.chat, uid: 990, unit: "chat.service", bridgeUID: 991), .of(.game, uid: 990),
  ])

  private func may(_ body: () throws(Refusal) -> Void) -> Bool {
    do {
      try body()
      return true
    } catch .notPermitted {
      return false
    } catch {
      Issue.record("\(error)")
      return false
    }
  }

  @Test func `a service has authority over its own accounts`() {
    let authority = Authority.of()
    for (peer, person, expected) in [
      (.chat, kim, true), (.root, kim, true), (.ann, kim, true), (.bridge, kim, false), (.mia, kim, false),
      (.chat, .user(990), false), (.chat, .account(app: .game, opaque: "kim"), false), (.root, .user(1), true),
    ] as [(TestPeer, Person, Bool)] {
      #expect(may { () throws(Refusal) in try authority.requireAuthority(peer, over: person) } == expected)
    }
  }

  @Test func `a service names its own contacts alone`() {
    let authority = Authority.of()
    for (peer, guardian, expected) in [
      (.chat, nan, true), (.chat, .user(1000), false), (.chat, .contact(app: .game, opaque: "nan"), false),
      (.root, .user(1000), true), (.bridge, nan, false),
    ] as [(TestPeer, Guardian, Bool)] {
      #expect(
        may { () throws(Refusal) in try authority.requireAuthority(peer, over: kim, as: guardian) } == expected)
    }
  }

  @Test(arguments: [nil, "other.service", "user@990.service", "session-3.scope", "chat.service2", ""])
  func `a unit that cannot be read, or is another, gives no right`(unit: String?) {
    let peer = TestPeer(uid: 990, unit: unit)
    #expect(!may { () throws(Refusal) in try shared.requireAuthority(peer, over: kim) })
    #expect(shared.service(peer, of: kim) == nil)
    #expect(shared.service(peer, of: .account(app: .game, opaque: "kim")) == .game)
  }

  @Test func `whoever is several services lists the accounts of each that it is`() throws {
    func listed(_ peer: TestPeer) -> [AppID]? {
      guard case .accounts(let apps)? = try? shared.circle(peer) else { return nil }
      return apps
    }
    #expect(listed(TestPeer(uid: 990, unit: "chat.service")) == [.chat, .game])
    #expect(listed(TestPeer(uid: 990)) == [.game])
    #expect(listed(.bridge) == nil)
    #expect(!may { () throws(Refusal) in _ = try shared.circle(TestPeer.mia) })
    guard case .everybody = try shared.circle(TestPeer.root) else { return #expect(Bool(false)) }
  }

  @Test func `in a sandbox one uid is every service`() {
    #expect(Authority.of([], isSandbox: true).service(TestPeer.mia, of: kim) == .chat)
    #expect(Authority.of([], isSandbox: true).service(TestPeer.mia, of: .user(1001)) == nil)
  }
}

/// Who administers.
@Suite struct AdministratorTests {
  @Test(arguments: [(0, true), (1000, true), (1001, false), (990, false), (.max, false)] as [(UserID, Bool)])
  func `root and the configured uids administer, and nobody else`(uid: UserID, isAdministrator: Bool) {
    let peer = TestPeer(uid: uid)
    #expect(Authority.of().isAdministrator(peer) == isAdministrator)
    let passes = (try? Authority.of().requireAdministrator(peer)) != nil
    #expect(passes == isAdministrator)
    #expect(Authority.of(isSandbox: true).isAdministrator(peer))
  }
}
