// SQLite for Swift: functions for macros that Swift cannot import, and the SQL function `checksum`.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, size_t length) {
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// If `length` is 0, binds an empty blob instead of NULL.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
    return sqlite3_bind_blob64(statement, index, length == 0 ? "" : bytes, length, SQLITE_TRANSIENT);
}

static inline uint64_t csqlite_mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ (sum >> 29);
}

/// The result depends on the types and bytes of all arguments. A REAL counts as text.
static inline void csqlite_checksum(sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t sum = (uint64_t)count;
    for (int index = 0; index < count; index++) {
        int type = sqlite3_value_type(values[index]);
        sum = csqlite_mix(sum, (uint64_t)type);
        if (type == SQLITE_INTEGER) {
            sum = csqlite_mix(sum, (uint64_t)sqlite3_value_int64(values[index]));
        } else if (type != SQLITE_NULL) {
            const unsigned char *bytes = sqlite3_value_blob(values[index]);
            size_t length = (size_t)sqlite3_value_bytes(values[index]);
            sum = csqlite_mix(sum, length);
            size_t start = 0;
            uint64_t word = 0;
            for (; length - start >= sizeof(word); start += sizeof(word)) {
                memcpy(&word, bytes + start, sizeof(word));
                sum = csqlite_mix(sum, word);
            }
            if (start < length) {
                word = 0;
                memcpy(&word, bytes + start, length - start);
                sum = csqlite_mix(sum, word);
            }
        }
    }
    sqlite3_result_int64(context, (sqlite3_int64)sum);
}

static inline int csqlite_add_checksum(sqlite3 *connection) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    return sqlite3_create_function_v2(connection, "checksum", -1, flags, NULL, csqlite_checksum, NULL, NULL, NULL);
}

#endif
