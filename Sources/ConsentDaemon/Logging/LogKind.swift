// SPDX-License-Identifier: Apache-2.0
//
// The kinds of lines the daemon writes, each with the id by which a journal finds it and explains it
// (config/consentd.catalog). An id never changes and is never used for something else: people's filters hang on it.

/// A kind of log line; its raw value is its MESSAGE_ID.
enum LogKind: String, CaseIterable, Sendable {
  // The life of the daemon.
  case serving = "4359b23be26b49399d8a5d6ed54f3cba"
  case stopped = "ce843fc426b84da3ab1743dc518aaa14"
  case tookOver = "189ac749618246988ef610202ac181d0"
  case tookUpBackup = "bfb91064167a4da7b660249b01f99ee9"
  case storeUnusable = "73d1f2f76e0c4d04bd016ebbac08b54b"
  case configurationUnusable = "aa046d7473db444e8da891196f0a8eb6"
  case cannotRun = "386b29408011473ab998d946e553cf0d"
  case reloaded = "f49d62236c9a461593102304d5d64544"
  case notReloaded = "5f271973268c449ca4e6301f5df7b976"

  // How questions end.
  case decided = "909f62360d57411f88a338aedf3aaa4a"
  case expired = "5218063223f142e98b2db642eb1bbaba"
  case withdrawn = "d4301204ac8542eabe28fc176ad81f59"
  case superseded = "0eda6e68ffab40fa84c53cc8b2b3c00f"
  case moot = "3a3668de683644fc92c05fbff15af6e0"

  // What peers are refused.
  case notPermitted = "4e16090dcfa84156a92d0c67f89bf061"
  case nobodyToAsk = "c43e19de9b6b49abae425a753e064ead"
  case personChanged = "9ede77ec3d2d4635bdf0f9787137aebe"
  case limitReached = "b1520655990948b680f1f21e4860cc52"
  case protocolViolation = "276b9295092e4e8c97308e66f746480a"
  case connectionRefused = "9b23804e11ff4eec97a3bf1840d81933"

  // Faults.
  case storageFailed = "b52074a718cc4a77aa92e0d3ee6f6cf2"
  case deadlinesMissed = "6f9f4a0c061c405dae3b160669f282b1"
  case connectionsLost = "a30cbd0ff9f348a4a36f8deb2a29b4b8"
  case accountsUnknown = "750ae2ab0d574a7d8961cb454e362417"
  case managerNotTold = "44237930d01f48b5b2f8509a64a28a39"
}
