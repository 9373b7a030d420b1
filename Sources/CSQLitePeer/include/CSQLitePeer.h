// Minimal code that saves items in SQLite. Benchmarks compare its speed with that of the daemon.
#ifndef CSQLITEPEER_H
#define CSQLITEPEER_H

#include <stddef.h>
#include <stdint.h>

/// Inserts items into a database, with `batch` items in each durable commit, until fewer than `batch` items are left or
/// `limit_ns` is over. `texts` contains three strings for each of the `count` items: its id, its JSON and its words for
/// the full-text index. Returns the number of inserted items, or -1. `elapsed_ns` receives the elapsed time.
int64_t sqlite_peer_save(const char *path, const char *const *texts, size_t count, size_t batch, int64_t limit_ns,
                         int64_t *elapsed_ns);

#endif
