// SPDX-License-Identifier: Apache-2.0
//
// What the package brings to be read, found there by the programs people read it with.

import TestSupport
import Testing

/// Manual pages, completions and units on an installed machine.
@Suite(PreparedRoots.boot)
struct DocumentTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
  }

  @Test func `every manual page is found and formats without complaint`() throws {
    for page in ["1 consentctl", "5 consentd.json5", "7 org.consentd", "8 consentd"] {
      let words = page.split(separator: " ").map(String.init)
      #expect(try machine.container.output(of: ["man", "-w"] + words).hasPrefix("/usr/share/man/man\(words[0])/"))
      let formatted = try machine.container.run(["man", "--warnings"] + words)
      #expect(formatted.exit == .status(0) && formatted.errors == "", "\(page): \(formatted.errors)")
      #expect(formatted.output.contains("NAME"))
    }
  }

  @Test func `bash and zsh load the completions`() throws {
    let bash = try machine.container.output(
      of: [
        "bash", "-c",
        """
        . /usr/share/bash-completion/bash_completion
        for program in consentctl consentd; do _completion_loader $program; complete -p $program; done
        """,
      ])
    #expect(bash == "complete -F _consentctl consentctl\ncomplete -F _consentd consentd")
    let zsh = try machine.container.output(
      of: ["zsh", "-fc", "autoload -Uz compinit && compinit -D && print $_comps[consentctl] $_comps[consentd]"])
    #expect(zsh == "_consentctl _consentd")
    try machine.container.shell("for file in /usr/share/zsh/vendor-completions/_consent*; do zsh -n $file; done")
  }

  @Test func `the journal explains the lines of consentd`() throws {
    let catalog = try machine.container.output(of: ["journalctl", "--list-catalog", "--no-pager"])
    let shipped = try machine.container.shell("sed -n 's/^-- //p' /usr/lib/systemd/catalog/consentd.catalog")
    for kind in shipped.split(separator: "\n") { #expect(catalog.contains(kind)) }
    try machine.startWithFamily()
    let explained = try machine.container.output(of: ["journalctl", "-x", "--unit=consentd", "--no-pager"])
    #expect(explained.contains("Subject: consentd serves"))
  }

  @Test func `systemd has nothing to say against the units, their manual pages included`() throws {
    let verdict = try machine.container.run(["systemd-analyze", "verify", "consentd.target", "consentd.service"])
    #expect(verdict.exit == .status(0))
    #expect(verdict.output + verdict.errors == "")
  }
}
