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
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) return NULL;
    sqlite3_exec(database,
                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                 "CREATE TABLE IF NOT EXISTS items (number INTEGER PRIMARY KEY, id TEXT UNIQUE, item TEXT);"
                 "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (tokens, content='')",
                 NULL, NULL, NULL);
    return database;
}

static int insert(sqlite3 *database, sqlite3_stmt *item, sqlite3_stmt *words, const char *const *texts) {
    sqlite3_bind_text(item, 1, texts[0], -1, SQLITE_STATIC);
    sqlite3_bind_text(item, 2, texts[1], -1, SQLITE_STATIC);
    if (sqlite3_step(item) != SQLITE_DONE || sqlite3_reset(item) != SQLITE_OK) return 0;
    sqlite3_bind_int64(words, 1, sqlite3_last_insert_rowid(database));
    sqlite3_bind_text(words, 2, texts[2], -1, SQLITE_STATIC);
    return sqlite3_step(words) == SQLITE_DONE && sqlite3_reset(words) == SQLITE_OK;
}

int64_t sqlite_peer_save(const char *path, const char *const *texts, size_t count, size_t batch, int64_t limit_ns,
                         int64_t *elapsed_ns) {
    sqlite3 *database = open_file(path);
    if (!database) return -1;
    sqlite3_stmt *item = NULL, *words = NULL;
    sqlite3_prepare_v2(database, "INSERT INTO items (id, item) VALUES (?1, ?2)", -1, &item, NULL);
    sqlite3_prepare_v2(database, "INSERT INTO words (rowid, tokens) VALUES (?1, ?2)", -1, &words, NULL);
    int64_t done = 0, start = now();
    int works = item && words;
    while (works && (size_t)done + batch <= count && now() - start < limit_ns) {
        works = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
        for (size_t index = 0; index < batch && works; index++)
            works = insert(database, item, words, texts + 3 * done++);
        works = works && sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    }
    *elapsed_ns = now() - start;
    sqlite3_finalize(item);
    sqlite3_finalize(words);
    sqlite3_close(database);
    return works ? done : -1;
}
