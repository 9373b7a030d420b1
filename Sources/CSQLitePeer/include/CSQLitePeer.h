// A minimal program that saves items in SQLite. Benchmarks compare the speed of the daemon's library with it.
#ifndef CSQLITEPEER_H
#define CSQLITEPEER_H

#include <stddef.h>
#include <stdint.h>

/// Inserts items into a new database, with `batch` items in each durable commit, until all are inserted or `limit_ns`
/// is over. `texts` contains three strings per item: its id, its JSON and its words for the full-text index. Returns
/// the number of inserted items, or -1. `elapsed_ns` receives the elapsed time.
int64_t sqlite_peer_save(const char *path, const char *const *texts, size_t count, size_t batch, int64_t limit_ns,
                         int64_t *elapsed_ns);

#endif
