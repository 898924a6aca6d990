// SPDX-License-Identifier: Apache-2.0
//
// Other people's Varlink programs, which scripts/fetch-peers puts into a folder that the environment names. Nothing of
// them is built here and nothing is fetched by a test: without the folder these tests are skipped, and say so.

import Glibc
import TestSupport
import Testing

/// Where the foreign programs are.
enum Peers {
  private static let folder = getenv("CONSENTD_PEERS").map { String(cString: $0) }

  /// Lets a test run only where the programs are.
  static let areThere = ConditionTrait.enabled(
    if: folder != nil, "SKIPPED: needs other people's Varlink programs; run `make test`")

  /// systemd's own client, version 257.
  static func varlinkctl() throws -> String { "\(try find())/varlinkctl" }

  /// A Python that has both Python implementations.
  static func python() throws -> String { "\(try find())/venv/bin/python" }

  /// Debian's build of the Go implementation's certification program.
  static let goCertification = "varlink-go-certification"

  private static func find() throws -> String {
    guard let folder else { throw TestFailure("CONSENTD_PEERS names no folder") }
    return folder
  }
}
