// SQLite for Swift: what its header says with casts that Swift can't read.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

/// Binds a copy of `length` bytes of UTF-8.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, size_t length) {
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of `length` bytes; of none, when there are none, instead of NULL.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
    return sqlite3_bind_blob64(statement, index, length == 0 ? "" : bytes, length, SQLITE_TRANSIENT);
}

/// Binds `length` bytes, or none, that stay where they are: they must live until nothing is bound there any more.
static inline int csqlite_lend_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
    return sqlite3_bind_blob64(statement, index, length == 0 ? "" : bytes, length, SQLITE_STATIC);
}

#endif
