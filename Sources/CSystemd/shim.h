// SPDX-License-Identifier: Apache-2.0
//
// libsystemd's headers include glibc's. With glibc imported first, as the module Swift knows, what they declare stays
// that module's; otherwise names such as SOCK_STREAM belong to one module or the other, by the order of compilation.
#if __building_module(CSystemd)
#pragma clang module import SwiftGlibc
#endif

#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
