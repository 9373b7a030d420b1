#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int platform_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int platform_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int platform_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int platform_epoll_wait(int epoll, struct epoll_event *events, int capacity, int64_t timeout_ns) {
    if (timeout_ns <= 0) return epoll_wait(epoll, events, capacity, timeout_ns < 0 ? -1 : 0);
#ifdef SYS_epoll_pwait2
    static _Atomic int missing = 0;
    if (!missing) {
        struct timespec timeout = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
        int count = (int)syscall(SYS_epoll_pwait2, epoll, events, capacity, &timeout, NULL, (size_t)0);
        if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
        missing = 1;
    }
#endif
    int64_t milliseconds = (timeout_ns + 999999) / 1000000;
    return epoll_wait(epoll, events, capacity, milliseconds > 86400000 ? 86400000 : (int)milliseconds);
}

uint64_t platform_event_token(const struct epoll_event *event) {
    return event->data.u64;
}

int platform_peer(int descriptor, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int platform_peer_groups(int descriptor, gid_t *groups, int capacity) {
    socklen_t length = (socklen_t)((size_t)capacity * sizeof *groups);
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0) return -1;
    return (int)(length / sizeof *groups);
}

static void fill(sigset_t *set, const int *signals, int count) {
    sigemptyset(set);
    for (int i = 0; i < count; i++) sigaddset(set, signals[i]);
}

int platform_signal_descriptor(const int *signals, int count) {
    sigset_t set;
    fill(&set, signals, count);
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int platform_next_signal(int descriptor) {
    struct signalfd_siginfo info;
    ssize_t length = read(descriptor, &info, sizeof info);
    return length == (ssize_t)sizeof info ? (int)info.ssi_signo : -1;
}

int platform_block_signals(const int *signals, int count) {
    sigset_t set;
    fill(&set, signals, count);
    return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int platform_unblock_signals(const int *signals, int count) {
    sigset_t set;
    fill(&set, signals, count);
    return pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int platform_reset_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    return pthread_sigmask(SIG_SETMASK, &set, NULL);
}

pid_t platform_thread(void) {
    static __thread pid_t thread = 0;
    if (thread == 0) thread = (pid_t)syscall(SYS_gettid);
    return thread;
}

void platform_error_text(int number, char *text, size_t capacity) {
    const char *found = strerror_r(number, text, capacity);
    if (found != text) snprintf(text, capacity, "%s", found);
}

int platform_has_route(const char *address) {
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    if (getaddrinfo(address, "53", &wanted, &found) != 0) return 0;
    // For a datagram socket, `connect` only looks up the route.
    int descriptor = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int result = descriptor < 0 ? -1 : connect(descriptor, found->ai_addr, found->ai_addrlen);
    int error = errno;
    if (descriptor >= 0) close(descriptor);
    freeaddrinfo(found);
    return result == 0 || (error != ENETUNREACH && error != EHOSTUNREACH && error != EADDRNOTAVAIL
                           && error != EAFNOSUPPORT && error != ENETDOWN);
}

int platform_look_up(const char *host) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int result = getaddrinfo(host, NULL, &wanted, &found);
    if (result == 0) freeaddrinfo(found);
    return result == 0 ? 1 : result == EAI_AGAIN ? -1 : 0;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t platform_monotonic_ns(void) {
    return nanoseconds(CLOCK_MONOTONIC);
}

static int connect_to(const struct addrinfo *address, int milliseconds) {
    int descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    int failure = connect(descriptor, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (failure == EINPROGRESS) {
        struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
        socklen_t length = sizeof failure;
        int count = poll(&ready, 1, milliseconds);
        if (count != 1 || getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) != 0) failure = ETIMEDOUT;
    }
    int one = 1;
    if (failure == 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        return descriptor;
    }
    close(descriptor);
    errno = failure;
    return -1;
}

int platform_connect(const char *host, const char *port, int milliseconds) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    if (getaddrinfo(host, port, &hints, &addresses) != 0) return -2;
    int descriptor = -1;
    for (const struct addrinfo *next = addresses; next != NULL && descriptor < 0; next = next->ai_next) {
        descriptor = connect_to(next, milliseconds);
    }
    int failure = errno;
    freeaddrinfo(addresses);
    errno = failure;
    return descriptor;
}

int64_t platform_realtime_ns(void) {
    return nanoseconds(CLOCK_REALTIME);
}

int64_t platform_boottime_ns(void) {
    return nanoseconds(CLOCK_BOOTTIME);
}

int platform_errno(void) {
    return errno;
}

int platform_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

static int release_segments(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
        // The kernel loads these pages again from the file when they are used.
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

int platform_keep_free_memory(size_t bytes, size_t block) {
    if (mallopt(M_ARENA_MAX, 2) != 1) return -1;
    // Setting one threshold stops malloc from adjusting the other, so both are set.
    return mallopt(M_MMAP_THRESHOLD, (int)block) == 1 && mallopt(M_TRIM_THRESHOLD, (int)bytes) == 1 ? 0 : -1;
}

void platform_release_start_memory(void) {
    dl_iterate_phdr(release_segments, NULL);
    malloc_trim(0);
}

void platform_release_free_memory(void) { malloc_trim(0); }

int64_t platform_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    return limit.rlim_cur == RLIM_INFINITY ? INT64_MAX : (int64_t)limit.rlim_cur;
}

int platform_protect_process(void) {
    signal(SIGXFSZ, SIG_IGN);
    // The limit prevents core files. prctl also prevents core dumps that are piped to a program.
    struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int platform_open_process(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

int platform_open_path(const char *path) {
    return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int platform_processors(int *processors, int capacity) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
    int count = 0;
    for (int processor = 0; processor < CPU_SETSIZE && count < capacity; processor++) {
        if (CPU_ISSET(processor, &set)) processors[count++] = processor;
    }
    return count;
}

int platform_pin(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

int platform_set_thread_user(uid_t user) {
    return (int)syscall(SYS_setresuid, (uid_t)-1, user, (uid_t)-1);
}
