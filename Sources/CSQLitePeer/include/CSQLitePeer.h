// The plainest use of SQLite there is, as a measure of what a library on top of it costs.
#ifndef CSQLITEPEER_H
#define CSQLITEPEER_H

#include <stddef.h>
#include <stdint.h>

/// Inserts items into a file of its own, which it creates, so many in each durable commit, until the items or the time are
/// used up. `texts` holds for each item its id, its JSON and its words for the full-text index.
///
/// Returns how many were inserted, or -1; `elapsed_ns` is the time that took.
int64_t sqlite_peer_save(const char *path, const char *const *texts, size_t count, size_t batch, int64_t limit_ns,
                         int64_t *elapsed_ns);

#endif
