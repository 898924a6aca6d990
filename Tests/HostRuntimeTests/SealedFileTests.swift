// SPDX-License-Identifier: Apache-2.0
//
// A file in memory that stays what it was, and everything else that could be passed for one.

import CLinux
import Glibc
import Testing

@testable import HostRuntime

struct SealedFileTests {
  @Test func `it holds what was put in, however often it is read`() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let file = try SealedFile.make("test", bytes)
    #expect(SealedFile.read(file, atMost: 100_000) == bytes)
    #expect(SealedFile.read(file, atMost: 200_000) == bytes)
    #expect(SealedFile.read(try SealedFile.make("empty", []), atMost: 0) == [])
  }

  @Test func `nobody can change it`() throws {
    let file = try SealedFile.make("test", [1, 2, 3])
    #expect(pwrite(file.number, [9], 1, 0) == -1)
    #expect(ftruncate(file.number, 0) == -1)
    #expect(ftruncate(file.number, 9) == -1)
    #expect(SealedFile.read(file, atMost: 3) == [1, 2, 3])
  }

  @Test func `one that is too long, or not sealed, or no such file is not read`() throws {
    #expect(SealedFile.read(try SealedFile.make("test", [1, 2, 3]), atMost: 2) == nil)
    #expect(SealedFile.read(Descriptor(owning: linux_memory_file("test")), atMost: 9) == nil)
    #expect(SealedFile.read(Descriptor(owning: open("/dev/null", O_RDONLY)), atMost: 9) == nil)
    let (near, far) = try StreamSocket.pair()
    #expect(SealedFile.read(near.descriptor, atMost: 9) == nil)
    withExtendedLifetime(far) {}
  }
}
