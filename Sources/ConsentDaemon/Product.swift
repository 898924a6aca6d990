// SPDX-License-Identifier: Apache-2.0
//
// What the daemon says of itself.

/// The names GetInfo and `--version` give.
enum Product {
  static let vendor = "The consentd project"
  static let name = "consentd"
  static let version = "0.1.0"
  static let url = "https://consentd.org"
}
