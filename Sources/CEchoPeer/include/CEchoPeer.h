// A minimal fast server for comparison: it answers every line with the same bytes.
#ifndef CECHOPEER_H
#define CECHOPEER_H

#include <stddef.h>

/// Serves the connections of a non-blocking listener. For each LF read, it writes `bytes` bytes that end with LF.
///
/// Uses one thread and one epoll. Returns only on failure, with errno.
void echo_peer_run(int listener, size_t bytes);

#endif
