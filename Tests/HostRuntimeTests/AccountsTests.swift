// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

struct AccountsTests {
  @Test func `root is found by name and by uid`() {
    #expect(Accounts.uid(ofLogin: "root") == 0)
    #expect(Accounts.name(ofUID: 0) == "root")
  }

  @Test(arguments: ["", "no-such-login", "root\0x", "root ", String(repeating: "x", count: 100_000)])
  func `a login that is not there is nobody`(_ login: String) {
    #expect(Accounts.uid(ofLogin: login) == nil)
  }

  @Test(arguments: [UInt32.max, 3_999_999_999])
  func `a uid without an account has no name`(_ uid: UInt32) {
    #expect(Accounts.name(ofUID: uid) == nil)
  }
}
