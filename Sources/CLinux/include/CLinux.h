// SPDX-License-Identifier: Apache-2.0
//
// What Swift's Glibc module leaves out of the kernel's interface: epoll and eventfd, and what glibc declares only
// under _GNU_SOURCE or not yet. Every function returns -1 and sets errno where it fails, as the calls below it do.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// Who connected a Unix socket, as the kernel recorded it at that moment.
struct linux_peer {
  uint32_t uid;
  uint32_t gid;
  int32_t pid;
};

/// socket(2): a new Unix stream socket, non-blocking or not, closed on exec.
int linux_stream_socket(int non_blocking);

/// accept4(2): the next connection of a listener, non-blocking and closed on exec.
int linux_accept(int listener);

/// SO_PEERCRED: who is at the other end of a Unix socket.
int linux_peer_credentials(int socket, struct linux_peer *peer);

/// SO_PEERPIDFD (Linux 6.5): a descriptor of the process at the other end of a Unix socket.
int linux_peer_pidfd(int socket);

/// SO_PASSRIGHTS off (Linux 6.16): peers cannot send descriptors over this socket, nor over what it accepts.
int linux_refuse_descriptors(int socket);

/// memfd_create(2): an empty file in memory, closed on exec.
int linux_memory_file(const char *name);

/// A file in memory with this content, which nobody can change any more (memfd_create(2), F_ADD_SEALS), closed on exec.
int linux_sealed_file(const char *name, const void *bytes, size_t count);

/// 1 where a file is sealed as `linux_sealed_file` seals, else 0, whatever it is.
int linux_is_sealed(int file);

/// sendmsg(2) on a connected datagram socket, not waiting for room, with a descriptor where that is not negative.
int linux_send_datagram(int socket, const void *bytes, size_t count, int descriptor);

/// pidfd_open(2) (Linux 5.3): a descriptor of a process, readable when it has ended.
int linux_process(int32_t pid);
