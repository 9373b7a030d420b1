// A minimal server that answers every line with the same bytes. Benchmarks compare the daemon with it.
#ifndef CECHOPEER_H
#define CECHOPEER_H

#include <stddef.h>

/// Serves the connections of a non-blocking listener with one thread. For each LF in the input, it writes `bytes` bytes
/// that end with LF. Returns only on failure, with the reason in errno.
void echo_peer_run(int listener, size_t bytes);

#endif
