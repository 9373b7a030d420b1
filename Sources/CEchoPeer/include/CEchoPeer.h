// The plainest fast server there is, as a measure: it answers every line with the same bytes and does nothing else.
#ifndef CECHOPEER_H
#define CECHOPEER_H

#include <stddef.h>

/// Listens on a Unix socket at `path` and writes `bytes` bytes, the last of them LF, for each LF that it reads.
///
/// One thread, one epoll. Returns only on failure: -1, with errno saying why.
int echo_peer_run(const char *path, size_t bytes);

#endif
