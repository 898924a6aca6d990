// SPDX-License-Identifier: Apache-2.0
//
// What an app does next. It is an open word: a later daemon may say one that is not listed here, and an app that does
// not know it does not proceed.

/// What the daemon tells an app to do. Switch on this and on nothing else.
public struct NextAction: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// Go on: there is consent, or none is needed.
  public static let proceed = NextAction(rawValue: "proceed")
  /// Nobody was asked yet: ask.
  public static let ask = NextAction(rawValue: "ask")
  /// A question is open: wait for it.
  public static let wait = NextAction(rawValue: "wait")
  /// Tell the person to talk to a guardian.
  public static let askGuardian = NextAction(rawValue: "askGuardian")
  /// Tell the person where to change it themself.
  public static let openSettings = NextAction(rawValue: "openSettings")
  /// Not now: ask again later.
  public static let askLater = NextAction(rawValue: "askLater")
  /// A policy forbids it, whoever is asked.
  public static let blockedByPolicy = NextAction(rawValue: "blockedByPolicy")
}
