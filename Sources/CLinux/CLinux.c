// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer than the headers of the oldest system this is built on; the numbers are the kernel's for good.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int linux_stream_socket(int non_blocking) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (non_blocking ? SOCK_NONBLOCK : 0), 0);
}

int linux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int linux_peer_credentials(int socket, struct linux_peer *peer) {
  struct ucred found = {0};
  socklen_t length = sizeof found;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &found, &length) < 0)
    return -1;
  if (length != sizeof found) {
    errno = EPROTO;
    return -1;
  }
  *peer = (struct linux_peer){.uid = found.uid, .gid = found.gid, .pid = found.pid};
  return 0;
}

int linux_peer_pidfd(int socket) {
  int found = -1;
  socklen_t length = sizeof found;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &found, &length) < 0)
    return -1;
  return found;
}

int linux_refuse_descriptors(int socket) {
  int off = 0;
  return setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
}

int linux_memory_file(const char *name) {
  return memfd_create(name, MFD_CLOEXEC);
}

int linux_process(int32_t pid) {
  return (int)syscall(SYS_pidfd_open, pid, 0);
}
