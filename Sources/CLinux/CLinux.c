// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
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

/// Nobody changes the file any more, nor what is forbidden of it.
static const int all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

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

int linux_sealed_file(const char *name, const void *bytes, size_t count) {
  int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0)
    return -1;
  for (size_t written = 0; written < count;) {
    ssize_t more = write(file, (const char *)bytes + written, count - written);
    if (more < 0 && errno != EINTR)
      goto failed;
    if (more > 0)
      written += (size_t)more;
  }
  if (fcntl(file, F_ADD_SEALS, all_seals) == 0)
    return file;
failed:;
  int failure = errno;
  close(file);
  errno = failure;
  return -1;
}

int linux_is_sealed(int file) {
  int seals = fcntl(file, F_GET_SEALS);
  return seals >= 0 && (seals & all_seals) == all_seals;
}

int linux_send_datagram(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec content = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
  if (descriptor >= 0) {
    control.header =
        (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
  }
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int linux_process(int32_t pid) {
  return (int)syscall(SYS_pidfd_open, pid, 0);
}
