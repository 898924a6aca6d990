// SPDX-License-Identifier: Apache-2.0
//
// SQLite, and the calls of it that Swift cannot import: SQLITE_TRANSIENT is a number cast to a function, and
// sqlite3_config and sqlite3_db_config take variable arguments. An empty value is bound as empty, never as NULL.
#pragma once

#include <sqlite3.h>
#include <stddef.h>

/// Binds a copy of `count` bytes of UTF-8.
static inline int consent_bind_text(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
  return sqlite3_bind_text64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of `count` bytes.
static inline int consent_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Sets one SQLITE_CONFIG_* switch of the whole process; before the first database is opened.
static inline int consent_configure_process(int option, int value) {
  return sqlite3_config(option, value);
}

/// Sets one SQLITE_DBCONFIG_* switch.
static inline int consent_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
