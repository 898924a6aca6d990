// SPDX-License-Identifier: Apache-2.0
//
// Who appears in these tests, and what is asked.

import ConsentBroker
import ConsentModel
import StrictJSON

extension Person {
  /// The one most questions are about.
  static let mia = Person.user(1001)
  static let leo = Person.user(1003)
  /// An account of a service.
  static let kim = Person.account(app: .chat, opaque: "kim")
}

extension Guardian {
  static let ann = Guardian.user(1000)
  static let bob = Guardian.user(1002)
  /// Somebody for whom a bridge speaks.
  static let nan = Guardian.contact(app: .chat, opaque: "nan")
}

extension AppID {
  static let chat = AppID(known: "org.example.Chat")
  static let game = AppID(known: "org.example.Game")

  private init(known text: String) {
    do { self = try AppID(parsing: text) } catch { fatalError("\(error)") }
  }
}

extension AppRegistry {
  /// The chat's service runs as 989, its bridge as 990.
  static let chat = AppRegistry([.of(.chat, uid: 989, bridgeUID: 990)])
}

extension AppEntry {
  static func of(_ id: AppID, uid: UserID, names: [String: String] = [:], bridgeUID: UserID? = nil) -> AppEntry {
    do { return try AppEntry(id: id, names: names, uid: uid, bridgeUID: bridgeUID) } catch { fatalError("\(error)") }
  }
}

extension Asker {
  /// The chat program that Mia runs.
  static let chat = Asker(uid: 1001, app: .chat)
  static let game = Asker(uid: 1001, app: .game)
  /// A program of Mia's that gives no name.
  static let nameless = Asker(uid: 1001, app: nil)
  /// A program that Ann, a guardian, runs.
  static let anns = Asker(uid: 1000, app: .chat)
}

extension Declarer {
  /// The administrator.
  static let root = Declarer.peer(0, isAdministrator: true)
  /// A local user who is no administrator.
  static func user(_ uid: UserID) -> Declarer { .peer(uid, isAdministrator: false) }
}

extension Viewer {
  static let ann = Viewer(peer: 1000, role: .guardian(.ann))
  static let bob = Viewer(peer: 1002, role: .guardian(.bob))
  static let stranger = Viewer(peer: 1009, role: .guardian(.user(1009)))
  static let mia = Viewer(peer: 1001, role: .guardian(.user(1001)))
  /// The bridge, uid 990, speaking for Nan.
  static let nan = Viewer(peer: 990, role: .guardian(.nan))
  /// The bridge, for all its contacts.
  static let bridge = Viewer(peer: 990, role: .peer)
  /// Whoever calls in a sandbox.
  static let tester = Viewer(peer: 1001, role: .everyone(speaker: nil))
}

extension Viewer {
  /// The one guardian the caller speaks for; `nil` where it speaks for several.
  var onlyGuardian: Guardian? { if case .guardian(let guardian) = role { guardian } else { nil } }
}

extension Topic {
  /// An update of an app; other words make another content with the same key.
  static func update(_ change: String = "2.0", _ description: String = "Adds voice rooms") -> Topic {
    Topic(known: ["kind": "significantUpdate", "change": .string(change), "description": .string(description)])
  }

  /// A resource of the app's own, which offers `approveOnce`.
  static func resource(_ name: String = "org.example.screenTime", _ purpose: String = "Half an hour more") -> Topic {
    Topic(known: ["kind": "resource", "resource": .string(name), "purpose": .string(purpose)])
  }

  /// Talking to people; the actions are not part of the key.
  static func communication(_ handles: [String] = ["kim"], _ actions: [String] = ["message"]) -> Topic {
    Topic(
      known: [
        "kind": "communication", "actions": .array(actions.map(JSON.string)),
        "people": .array(handles.map { ["handle": .string($0), "kind": "custom"] }),
      ])
  }

  private init(known json: JSONObject) {
    do { self = try Topic(json: json) } catch { fatalError("\(error)") }
  }

  var key: String { subject.key(salt: World.salt) }
}
