// The plainest loop around libcurl that there is, as a measure: it downloads and throws everything away.
#ifndef CCURLPEER_H
#define CCURLPEER_H

#include <stddef.h>
#include <stdint.h>

/// What to download, and for how long. All texts end in zero and outlive the run.
struct curl_peer_plan {
    /// Asked for in rotation; all of them on one server, so that connections are kept.
    const char *const *urls;
    size_t url_count;
    /// Header lines beside those that libcurl makes.
    const char *const *lines;
    size_t line_count;
    const char *user_agent;
    /// How many downloads are on the way at a time.
    size_t at_once;
    /// What runs before it is measured, and what is measured.
    int64_t warming_ns;
    int64_t measured_ns;
};

/// What happened in the measured time; failures are counted from the start.
struct curl_peer_report {
    uint64_t calls;
    /// Of bodies, decoded.
    uint64_t bytes;
    /// Downloads that ended in an error, or in another status than 200.
    uint64_t failures;
    /// Of the thread that ran.
    int64_t processor_ns;
    int64_t elapsed_ns;
};

/// Downloads with one thread, one epoll and libcurl's multi handle.
///
/// Returns 0, or -1 when libcurl or the kernel refuses something; errno may say what.
int curl_peer_run(const struct curl_peer_plan *plan, struct curl_peer_report *report);

#endif
