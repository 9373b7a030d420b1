// A minimal server that sends one fixed answer for each line. Benchmarks compare the daemon with it.
#ifndef CECHOPEER_H
#define CECHOPEER_H

#include <stddef.h>

/// `listener` must be non-blocking. An answer has `bytes` bytes. Returns only on failure, with the reason in errno.
void echo_peer_run(int listener, size_t bytes);

#endif
