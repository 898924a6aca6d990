// SPDX-License-Identifier: Apache-2.0
//
// The contract: the texts a program carries are the files in the tree, and each socket has its interfaces.

import ConsentInterface
import Foundation
import Testing
import Varlink

@Suite struct ContractTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/ConsentInterface/Interfaces").standardizedFileURL

  @Test func `every file of an interface is carried, byte for byte, and no other text`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(files == Interfaces.all.map { "\($0.name).varlink" }.sorted())
    for interface in Interfaces.all {
      let file = try Data(contentsOf: Self.folder.appendingPathComponent("\(interface.name).varlink"))
      #expect(Data(interface.text.utf8) == file)
    }
  }

  @Test(arguments: [false, true])
  func `apps ask on one socket, guardians answer on the other`(isSandbox: Bool) throws {
    let apps = try Contract.interfaces(on: .apps, isSandbox: isSandbox).map(\.name)
    let guardians = try Contract.interfaces(on: .guardians, isSandbox: isSandbox).map(\.name)
    #expect(apps == ["org.consentd.Permission", "org.consentd.AgeRange"])
    #expect(guardians.prefix(2) == ["org.consentd.Guardian", "org.consentd.Administration"])
    #expect(guardians.dropFirst(2) == (isSandbox ? ["org.consentd.Sandbox"] : []))
  }

  @Test func `a socket is named for its first interface, and handed over by its role`() {
    #expect(SocketRole.apps.fileName == "org.consentd.Permission")
    #expect(SocketRole.guardians.fileName == "org.consentd.Guardian")
    #expect(SocketRole.allCases.map(\.rawValue) == ["apps", "guardians"])
    #expect(Contract.runtimeDirectory == "/run/consentd")
  }

  @Test(arguments: Interfaces.all)
  func `every method, field, type and error is documented`(interface: InterfaceDescription) {
    #expect(!interface.documentation.isEmpty)
    for method in interface.methods {
      #expect(!method.documentation.isEmpty, "\(method.name)")
      for field in method.input + method.output {
        #expect(!field.documentation.isEmpty, "\(method.name).\(field.name)")
      }
    }
    for error in interface.errors { #expect(!error.documentation.isEmpty, "\(error.name)") }
    for type in interface.types {
      #expect(!type.documentation.isEmpty, "\(type.name)")
      guard case .structure(let fields) = type.type else { continue }
      for field in fields { #expect(!field.documentation.isEmpty, "\(type.name).\(field.name)") }
    }
  }

  @Test func `streams and nothing else need more`() {
    let streams = Interfaces.all.flatMap { interface in interface.methods.filter(\.requiresMore).map(\.name) }
    #expect(streams.sorted() == ["Export", "Responses", "WatchQuestions"])
  }
}

extension InterfaceDescription: CustomTestStringConvertible {
  public var testDescription: String { name }
}
