// SPDX-License-Identifier: Apache-2.0
//
// The Debian root, with consentd installed in it, that `make test` prepares (scripts/prepare-root) and names in the
// environment. These tests never install anything and never touch the machine they run on: without the root they are
// skipped, and every one of them says so.

import Glibc
import TestSupport
import Testing

/// Where the prepared root is, and whether it can be booted here.
enum InstalledRoot {
  private static let path = getenv("CONSENTD_SYSTEM_ROOT").map { String(cString: $0) }

  /// The path of the root. Throws where there is none.
  static func find() throws -> String {
    guard let path else { throw TestFailure("CONSENTD_SYSTEM_ROOT names no root") }
    return path
  }

  /// Lets a test run only where the root is.
  static let isThere = ConditionTrait.enabled(
    if: path != nil, "SKIPPED: needs a root prepared by `make test`, run as root")

  /// Lets a test run only where the root is and may be booted.
  static let boots = ConditionTrait.enabled(
    if: path != nil && Program.isRoot, "SKIPPED: boots a systemd, which takes root; run `make test` as root")
}
