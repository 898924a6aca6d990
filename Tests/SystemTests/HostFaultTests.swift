// SPDX-License-Identifier: Apache-2.0
//
// What a machine does to a service: its disk is full, its processes are killed. (One that stands still: RestartTests.)

import TestSupport
import Testing

/// Faults of the host under the installed service.
@Suite(PreparedRoots.boot)
struct HostFaultTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
  }

  @Test func `a full disk refuses what is asked, serves what is read, and heals by itself`() throws {
    let state = "/var/lib/private/consentd"
    try machine.container.shell(
      """
      mkdir -p \(state)
      chmod 700 /var/lib/private
      mount -t tmpfs -o size=4m none \(state)
      mkdir -p /etc/consentd/consentd.json5.d
      echo '{coolDowns: {newQuestionsPerDay: 1000}}' > /etc/consentd/consentd.json5.d/much.json5
      """)
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    try machine.container.shell("cat /dev/zero > \(state)/filling 2> /dev/null || true")
    // The log may have room left for the first of them.
    try machine.container.shell(
      """
      for number in $(seq 100); do
        status=0
        consentctl ask resource/org.example.full$number --purpose 'More.' > /dev/null 2>&1 || status=$?
        case $status in 4) ;; 6) exit 0 ;; *) exit 1 ;; esac
      done
      exit 1
      """, as: "mia")
    #expect(try machine.consentctl("get", "significantUpdate/2.0", as: .mia, status: 4).contains("pending"))
    #expect(try machine.consentctl("status").contains("open questions"))
    try machine.container.shell("rm \(state)/filling")
    try machine.consentctl("ask", "resource/org.example.room", "--purpose", "More.", as: .mia, status: 4)
    try machine.consentctl("approve", question, as: .anna)
    #expect(try machine.property("NRestarts") == "0")
  }

  @Test func `a daemon that is killed is started anew, and nothing is lost`() throws {
    try machine.startWithFamily()
    let question = try machine.ask("2.0")
    try machine.container.output(of: ["sh", "-c", "kill -KILL $0", try machine.property("MainPID")])
    try machine.settle("NRestarts", "1")
    #expect(try machine.pending(as: .anna) == [question])
  }
}
