// Minimal code that saves items in SQLite. Benchmarks compare its speed with that of the daemon.
#ifndef CSQLITEPEER_H
#define CSQLITEPEER_H

#include <stddef.h>
#include <stdint.h>

/// Inserts `count` items, `batch` per commit, for at most `limit_ns`. Returns the number of inserted items, or -1.
/// Each item has three `texts`: the id, the JSON, and the words for the full-text index.
int64_t sqlite_peer_save(const char *path, const char *const *texts, size_t count, size_t batch, int64_t limit_ns,
                         int64_t *elapsed_ns);

#endif
