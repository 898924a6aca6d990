// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
//
// The order of the targets is the order of dependency: a target imports only what stands above it.
// The build refuses an import that is not declared here (make passes
// --explicit-target-dependency-import-check error).

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets that never touch memory by hand: the compiler holds them to it.
let safe: [SwiftSetting] = strict + [.strictMemorySafety()]

let package = Package(
  name: "consentd",
  products: [
    .executable(name: "consentd", targets: ["consentd"]),
    .executable(name: "consentctl", targets: ["consentctl"]),
    .library(name: "ConsentKit", targets: ["ConsentKit"]),
  ],
  targets: [
    // Debian's libraries.
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CLinux"),

    // Below the domain.
    .target(name: "StrictJSON", dependencies: ["CJansson"], swiftSettings: strict),
    .target(name: "Varlink", dependencies: ["StrictJSON"], swiftSettings: strict),
    .target(name: "HostRuntime", dependencies: ["CSystemd", "CLinux"], swiftSettings: strict),

    // The domain.
    .target(name: "ConsentModel", dependencies: ["StrictJSON", "CSodium"], swiftSettings: strict),
    .target(name: "ConsentStore", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "ConsentBroker", dependencies: ["StrictJSON", "ConsentModel", "ConsentStore"], swiftSettings: safe),
    .target(
      name: "ConsentInterface", dependencies: ["StrictJSON", "ConsentModel", "Varlink"],
      resources: [.embedInCode("Interfaces")], swiftSettings: strict),

    // The daemon.
    .target(
      name: "ConsentDaemon",
      dependencies: [
        "StrictJSON", "Varlink", "HostRuntime", "ConsentModel", "ConsentStore", "ConsentBroker", "ConsentInterface",
      ],
      swiftSettings: strict),
    .executableTarget(name: "consentd", dependencies: ["ConsentDaemon"], swiftSettings: strict),

    // The tools.
    .target(
      name: "ConsentKit",
      dependencies: ["StrictJSON", "Varlink", "HostRuntime", "ConsentModel", "ConsentInterface"], swiftSettings: strict),
    .executableTarget(
      name: "consentctl",
      dependencies: [
        "StrictJSON", "CLinux", "HostRuntime", "ConsentModel", "ConsentStore", "ConsentInterface", "ConsentKit",
      ],
      swiftSettings: strict),

    // Tests, from the inside out.
    .target(
      name: "TestSupport", dependencies: ["CLinux", "CSQLite", "StrictJSON", "Varlink"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: strict),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink", "StrictJSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "HostRuntimeTests", dependencies: ["HostRuntime", "CLinux", "TestSupport", "activation-probe"],
      swiftSettings: strict),
    .testTarget(name: "ConsentModelTests", dependencies: ["ConsentModel", "StrictJSON"], swiftSettings: strict),
    .testTarget(
      name: "ConsentStoreTests", dependencies: ["ConsentStore", "CSQLite", "TestSupport"], exclude: ["Fixtures"],
      swiftSettings: strict),
    .testTarget(
      name: "ConsentBrokerTests",
      dependencies: ["ConsentBroker", "ConsentModel", "ConsentStore", "StrictJSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ConsentInterfaceTests", dependencies: ["ConsentInterface", "ConsentModel", "StrictJSON", "Varlink"],
      swiftSettings: strict),
    .testTarget(
      name: "ConsentDaemonTests",
      dependencies: [
        "ConsentDaemon", "ConsentBroker", "ConsentInterface", "ConsentModel", "HostRuntime", "StrictJSON",
        "TestSupport", "Varlink",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ConsentKitTests",
      dependencies: [
        "ConsentKit", "consentctl", "ConsentInterface", "HostRuntime", "StrictJSON", "Varlink", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BlackBoxTests",
      dependencies: ["TestSupport", "StrictJSON", "consentd", "consentctl"], exclude: ["bridge.py"],
      swiftSettings: strict),
    .testTarget(
      name: "AuthorityTests", dependencies: ["TestSupport", "StrictJSON", "consentd", "consentctl"],
      swiftSettings: strict),
    .testTarget(
      name: "PeerTests", dependencies: ["TestSupport", "StrictJSON", "consentd", "varlink-certification"],
      swiftSettings: strict),
    .testTarget(
      name: "DesktopTests", dependencies: ["TestSupport", "StrictJSON", "consentd", "consentctl"],
      swiftSettings: strict),
    .testTarget(
      name: "SystemTests", dependencies: ["StrictJSON", "TestSupport", "consentd", "consentctl"],
      exclude: ["load.py"], swiftSettings: strict),
    .executableTarget(
      name: "activation-probe", dependencies: ["HostRuntime"], path: "Tests/ActivationProbe", swiftSettings: strict),
    .executableTarget(
      name: "varlink-certification", dependencies: ["StrictJSON", "Varlink"], path: "Tests/Certification",
      swiftSettings: strict),
    .executableTarget(
      name: "varlink-mutations", dependencies: ["TestSupport", "StrictJSON", "Varlink"], path: "Tests/Fuzz",
      swiftSettings: strict),
  ]
)
