#include "CCurlPeer.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_MAX = 64 };

struct peer {
    const struct curl_peer_plan *plan;
    struct curl_peer_report *report;
    CURLM *multi;
    struct curl_slist *lines;
    int epoll;
    /// When libcurl wants to be called without a reason; -1 when it doesn't.
    int64_t due;
    size_t next;
};

static int64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static size_t throw_away(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    struct peer *peer = context;
    peer->report->bytes += size * count;
    return size * count;
}

static int socket_changed(CURL *easy, curl_socket_t descriptor, int change, void *context, void *known) {
    (void)easy;
    struct peer *peer = context;
    if (change == CURL_POLL_REMOVE) {
        epoll_ctl(peer->epoll, EPOLL_CTL_DEL, descriptor, NULL);
        return 0;
    }
    struct epoll_event event = {.data = {.fd = descriptor}};
    if (change & CURL_POLL_IN) event.events |= EPOLLIN;
    if (change & CURL_POLL_OUT) event.events |= EPOLLOUT;
    // A socket that has been given something is one that is in the epoll.
    if (epoll_ctl(peer->epoll, known == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) != 0) return -1;
    curl_multi_assign(peer->multi, descriptor, peer);
    return 0;
}

static int timer_changed(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    struct peer *peer = context;
    peer->due = milliseconds < 0 ? -1 : clock_ns(CLOCK_MONOTONIC) + milliseconds * 1000000;
    return 0;
}

/// Sends the next download on its way.
static int start(struct peer *peer, CURL *easy) {
    const char *url = peer->plan->urls[peer->next++ % peer->plan->url_count];
    if (curl_easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK) return -1;
    return curl_multi_add_handle(peer->multi, easy) == CURLM_OK ? 0 : -1;
}

static CURL *make_easy(struct peer *peer) {
    CURL *easy = curl_easy_init();
    if (easy == NULL) return NULL;
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, peer->plan->user_agent);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, peer->lines);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, throw_away);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, peer);
    return easy;
}

static int wait_and_act(struct peer *peer) {
    struct epoll_event events[EVENTS_MAX];
    int running = 0;
    int64_t left = peer->due < 0 ? 100000000 : peer->due - clock_ns(CLOCK_MONOTONIC);
    int timeout = left <= 0 ? 0 : (int)((left + 999999) / 1000000);
    int count = epoll_wait(peer->epoll, events, EVENTS_MAX, timeout);
    if (count < 0 && errno != EINTR) return -1;
    for (int i = 0; i < count; i++) {
        int mask = (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
            | (events[i].events & ~(uint32_t)EPOLLOUT ? CURL_CSELECT_IN : 0);
        if (curl_multi_socket_action(peer->multi, events[i].data.fd, mask, &running) != CURLM_OK) return -1;
    }
    if (peer->due >= 0 && clock_ns(CLOCK_MONOTONIC) >= peer->due) {
        peer->due = -1;
        if (curl_multi_socket_action(peer->multi, CURL_SOCKET_TIMEOUT, 0, &running) != CURLM_OK) return -1;
    }
    return 0;
}

/// Counts what has ended, and starts as many.
static int take_ended(struct peer *peer) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(peer->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL *easy = message->easy_handle;
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (message->data.result != CURLE_OK || status != 200) peer->report->failures++;
        peer->report->calls++;
        curl_multi_remove_handle(peer->multi, easy);
        if (start(peer, easy) != 0) return -1;
    }
    return 0;
}

static int run_until(struct peer *peer, int64_t deadline) {
    while (clock_ns(CLOCK_MONOTONIC) < deadline) {
        if (wait_and_act(peer) != 0 || take_ended(peer) != 0) return -1;
    }
    return 0;
}

static int measure(struct peer *peer) {
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    if (run_until(peer, start + peer->plan->warming_ns) != 0) return -1;
    int64_t processor = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    start = clock_ns(CLOCK_MONOTONIC);
    peer->report->calls = 0;
    peer->report->bytes = 0;
    if (run_until(peer, start + peer->plan->measured_ns) != 0) return -1;
    peer->report->processor_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - processor;
    peer->report->elapsed_ns = clock_ns(CLOCK_MONOTONIC) - start;
    return 0;
}

/// Runs with the handles that it makes and frees.
static int run_with_handles(struct peer *peer) {
    CURL **easies = calloc(peer->plan->at_once, sizeof *easies);
    if (easies == NULL) return -1;
    int outcome = 0;
    for (size_t i = 0; i < peer->plan->at_once && outcome == 0; i++) {
        easies[i] = make_easy(peer);
        outcome = easies[i] == NULL ? -1 : start(peer, easies[i]);
    }
    if (outcome == 0) outcome = measure(peer);
    for (size_t i = 0; i < peer->plan->at_once; i++) {
        if (easies[i] == NULL) continue;
        curl_multi_remove_handle(peer->multi, easies[i]);
        curl_easy_cleanup(easies[i]);
    }
    free(easies);
    return outcome;
}

int curl_peer_run(const struct curl_peer_plan *plan, struct curl_peer_report *report) {
    *report = (struct curl_peer_report){0};
    if (plan->url_count == 0 || plan->at_once == 0) {
        errno = EINVAL;
        return -1;
    }
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return -1;
    struct peer peer = {.plan = plan, .report = report, .due = -1};
    for (size_t i = 0; i < plan->line_count; i++) {
        struct curl_slist *longer = curl_slist_append(peer.lines, plan->lines[i]);
        if (longer == NULL) return -1;
        peer.lines = longer;
    }
    peer.epoll = epoll_create1(EPOLL_CLOEXEC);
    peer.multi = curl_multi_init();
    if (peer.epoll < 0 || peer.multi == NULL) return -1;
    curl_multi_setopt(peer.multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
    curl_multi_setopt(peer.multi, CURLMOPT_SOCKETDATA, &peer);
    curl_multi_setopt(peer.multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    curl_multi_setopt(peer.multi, CURLMOPT_TIMERDATA, &peer);
    int outcome = run_with_handles(&peer);
    curl_multi_cleanup(peer.multi);
    curl_slist_free_all(peer.lines);
    close(peer.epoll);
    return outcome;
}
