// The plainest use of SQLite that there is, as a measure of what a library on top of it costs.
#ifndef CSQLITEPEER_H
#define CSQLITEPEER_H

#include <stddef.h>
#include <stdint.h>

/// One row to save. All texts end in zero and outlive the run.
struct sqlite_peer_row {
    const char *id;
    const char *source;
    const char *item;
    /// Words for the full-text index.
    const char *tokens;
};

/// Inserts rows into a library's tables, so many in each durable commit, until the rows or the time are used up.
///
/// Returns how many were inserted, or -1; `elapsed_ns` is the time that took.
int64_t sqlite_peer_save(const char *path, const struct sqlite_peer_row *rows, size_t count, size_t batch,
                         int64_t limit_ns, int64_t *elapsed_ns);

/// Runs a statement once for each argument, which is bound to its only parameter, and steps through all rows.
///
/// Writes how long each took, and returns the number of rows altogether, or -1.
int64_t sqlite_peer_query(const char *path, const char *sql, const char *const *arguments, size_t count,
                          int64_t *nanoseconds);

#endif
