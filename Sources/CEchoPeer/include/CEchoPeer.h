// The plainest fast server there is, as a measure: it answers every line with the same bytes and does nothing else.
#ifndef CECHOPEER_H
#define CECHOPEER_H

#include <stddef.h>

/// Takes the connections of a listener that does not block, and writes `bytes` bytes, the last of them LF, for each LF
/// that it reads.
///
/// One thread, one epoll. Returns only on failure, with errno saying why.
void echo_peer_run(int listener, size_t bytes);

#endif
