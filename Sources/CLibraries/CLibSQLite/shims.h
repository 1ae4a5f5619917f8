// SPDX-License-Identifier: Apache-2.0
// SQLite as Swift sees it.
#ifndef TOUCHLINE_CLIBSQLITE_H
#define TOUCHLINE_CLIBSQLITE_H

#include <sqlite3.h>

/// SQLite copies what is bound.
static inline int tl_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

#endif
