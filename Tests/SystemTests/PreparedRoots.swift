// SPDX-License-Identifier: Apache-2.0
//
// The Debian roots that `make test` prepares (scripts/prepare-root) and names in the environment, and the package in
// one of them. These tests never install anything on the machine they run on and never touch it: without the roots they
// are skipped, and every one of them says so.

import Glibc
import TestSupport
import Testing

/// Where the prepared roots are, and whether they can be booted here.
enum PreparedRoots {
  private static let place = getenv("CONSENTD_ROOTS").map { String(cString: $0) }

  /// A Debian that has everything the package depends on, and not the package.
  static func bare() throws -> String { try path("bare-root") }

  /// The same with the package installed.
  static func installed() throws -> String { try path("system-root") }

  /// The package itself, on this machine.
  static func package() throws -> String { try path("consentd.deb") }

  /// The package of the desktop's companion.
  static func desktopPackage() throws -> String { try path("consentd-desktop.deb") }

  /// Lets a test run only where the roots are.
  static let areThere = ConditionTrait.enabled(
    if: place != nil, "SKIPPED: needs roots prepared by `make test`, run as root")

  /// Lets a test run only where the roots are and may be booted.
  static let boot = ConditionTrait.enabled(
    if: place != nil && Program.isRoot, "SKIPPED: boots a systemd, which takes root; run `make test` as root")

  private static func path(_ name: String) throws -> String {
    guard let place else { throw TestFailure("CONSENTD_ROOTS names no place") }
    return "\(place)/\(name)"
  }
}
