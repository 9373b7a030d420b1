#define _GNU_SOURCE
#include "CSQLitePeer.h"

#include <sqlite3.h>
#include <time.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static sqlite3 *open_file(const char *path) {
    sqlite3 *database = NULL;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) return NULL;
    // As the daemon opens it.
    sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                           "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512; PRAGMA wal_autocheckpoint = 1024",
                 NULL, NULL, NULL);
    return database;
}

static int insert(sqlite3_stmt *item, sqlite3_stmt *words, sqlite3 *database, const struct sqlite_peer_row *row) {
    sqlite3_bind_text(item, 1, row->id, -1, SQLITE_STATIC);
    sqlite3_bind_text(item, 2, row->source, -1, SQLITE_STATIC);
    sqlite3_bind_blob(item, 3, row->item, (int)__builtin_strlen(row->item), SQLITE_STATIC);
    if (sqlite3_step(item) != SQLITE_DONE || sqlite3_reset(item) != SQLITE_OK) return -1;
    sqlite3_bind_int64(words, 1, sqlite3_last_insert_rowid(database));
    sqlite3_bind_text(words, 2, row->tokens, -1, SQLITE_STATIC);
    return sqlite3_step(words) == SQLITE_DONE && sqlite3_reset(words) == SQLITE_OK ? 0 : -1;
}

int64_t sqlite_peer_save(const char *path, const struct sqlite_peer_row *rows, size_t count, size_t batch,
                         int64_t limit_ns, int64_t *elapsed_ns) {
    sqlite3 *database = open_file(path);
    if (!database) return -1;
    sqlite3_stmt *item = NULL, *words = NULL;
    sqlite3_prepare_v2(database,
                       "INSERT INTO items (id, insertedBy, revision, kind, source, genre, savedAt, title, item) "
                       "VALUES (?1, 1, 1, 'book', ?2, '', 1, x'00', ?3)",
                       -1, &item, NULL);
    sqlite3_prepare_v2(database, "INSERT INTO words (rowid, tokens) VALUES (?1, ?2)", -1, &words, NULL);
    int64_t done = 0, start = now();
    while (item && words && (size_t)done + batch <= count && now() - start < limit_ns) {
        int failed = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK;
        for (size_t index = 0; index < batch && !failed; index++) failed = insert(item, words, database, rows + done++);
        if (failed || sqlite3_exec(database, "UPDATE state SET revision = revision + 1; COMMIT", NULL, NULL, NULL)) {
            done = -1;
            break;
        }
    }
    *elapsed_ns = now() - start;
    sqlite3_finalize(item);
    sqlite3_finalize(words);
    sqlite3_close(database);
    return done;
}

int64_t sqlite_peer_query(const char *path, const char *sql, const char *const *arguments, size_t count,
                          int64_t *nanoseconds) {
    sqlite3 *database = open_file(path);
    sqlite3_stmt *statement = NULL;
    int64_t rows = -1;
    if (database && sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
        rows = 0;
        for (size_t index = 0; index < count; index++) {
            int64_t start = now();
            int result = sqlite3_bind_text(statement, 1, arguments[index], -1, SQLITE_STATIC);
            while ((result = sqlite3_step(statement)) == SQLITE_ROW) rows++;
            sqlite3_reset(statement);
            if (result != SQLITE_DONE) rows = INT64_MIN / 2;
            nanoseconds[index] = now() - start;
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return rows < 0 ? -1 : rows;
}
