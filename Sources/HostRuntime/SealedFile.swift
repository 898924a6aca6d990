// SPDX-License-Identifier: Apache-2.0
//
// Bytes in memory that outlive the process as a descriptor, and that nobody can change: neither who made them, nor who
// keeps them, nor a process that once held them open.

internal import CLinux
internal import Glibc

/// A sealed memory file (memfd_create(2)).
package enum SealedFile {
  /// A sealed file with this content.
  package static func make(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> Descriptor {
    try Descriptor(opening: linux_sealed_file(name, bytes, bytes.count), "memfd_create \(name)")
  }

  /// The content of a sealed file; `nil` where it is none, or longer than `limit` bytes.
  package static func read(_ file: Descriptor, atMost limit: Int) -> [UInt8]? {
    var status = stat()
    guard linux_is_sealed(file.number) == 1, fstat(file.number, &status) == 0, status.st_size <= limit else {
      return nil
    }
    return Array(unsafeUninitializedCapacity: Int(status.st_size)) { room, count in
      while count < room.count {
        let more = pread(file.number, room.baseAddress.map { $0 + count }, room.count - count, off_t(count))
        guard more > 0 else { return }
        count += more
      }
    }
  }
}
