// SPDX-License-Identifier: Apache-2.0
//
// The contract: which interfaces stand on which socket. Their texts are in Interfaces/, embedded in the program.
//
// The names are fixed: other people's clients are written against them.

package import Varlink

/// The sockets of the daemon, by the name systemd hands them over with (`FileDescriptorName=`).
package enum SocketRole: String, CaseIterable, Sendable {
  case apps
  case guardians

  /// The file name of the socket below the runtime directory: the name of its first interface.
  package var fileName: String {
    switch self {
    case .apps: Contract.permission
    case .guardians: Contract.guardian
    }
  }
}

/// Names and texts of the interfaces.
package enum Contract {
  package static let permission = "org.consentd.Permission"
  package static let ageRange = "org.consentd.AgeRange"
  package static let guardian = "org.consentd.Guardian"
  package static let administration = "org.consentd.Administration"
  package static let sandbox = "org.consentd.Sandbox"

  /// Where a daemon of the whole machine has its sockets.
  package static let runtimeDirectory = "/run/consentd"

  /// The interfaces on a socket, parsed. An error is a fault of this program.
  package static func interfaces(
    on role: SocketRole, isSandbox: Bool
  ) throws(DescriptionError) -> [InterfaceDescription] {
    let texts: [[UInt8]]
    switch role {
    case .apps:
      texts = [PackageResources.org_consentd_Permission_varlink, PackageResources.org_consentd_AgeRange_varlink]
    case .guardians:
      let always = [
        PackageResources.org_consentd_Guardian_varlink, PackageResources.org_consentd_Administration_varlink,
      ]
      texts = isSandbox ? always + [PackageResources.org_consentd_Sandbox_varlink] : always
    }
    var interfaces: [InterfaceDescription] = []
    for text in texts { interfaces.append(try InterfaceDescription(parsing: String(decoding: text, as: UTF8.self))) }
    return interfaces
  }
}
