// SPDX-License-Identifier: Apache-2.0
// SQLite as Swift sees it.
#ifndef TOUCHLINE_CLIBSQLITE_H
#define TOUCHLINE_CLIBSQLITE_H

#include <sqlite3.h>

/// SQLite copies what is bound.
static inline int tl_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// SQLite copies what is bound. No octets are an empty value, and not NULL.
static inline int tl_sqlite_bind_octets(sqlite3_stmt *statement, int index, const void *octets, int count) {
    return sqlite3_bind_blob(statement, index, count == 0 ? "" : octets, count, SQLITE_TRANSIENT);
}

#endif
