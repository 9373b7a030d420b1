#define _GNU_SOURCE
#include "CEchoPeer.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /// The maximum number of answers per write.
    BLOCK_ANSWERS = 16,
    EVENTS_MAX = 256,
    INPUT_BYTES = 64 * 1024,
};

struct connection {
    int descriptor;
    uint32_t interest;
    /// The number of lines that are not fully answered.
    size_t pending;
    /// How many bytes of the first pending answer are written.
    size_t offset;
};

struct server {
    int epoll;
    int listener;
    size_t bytes;
    char *block;
    char input[INPUT_BYTES];
};

static int watch(struct server *server, int operation, int descriptor, uint32_t interest, void *data) {
    struct epoll_event event = {.events = interest, .data = {.ptr = data}};
    return epoll_ctl(server->epoll, operation, descriptor, &event);
}

// `close` alone does not remove the descriptor from epoll if a child process keeps it open.
static void drop(struct server *server, struct connection *connection) {
    epoll_ctl(server->epoll, EPOLL_CTL_DEL, connection->descriptor, NULL);
    close(connection->descriptor);
    free(connection);
}

static void accept_all(struct server *server) {
    for (;;) {
        int descriptor = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) return;
        struct connection *connection = calloc(1, sizeof *connection);
        if (connection == NULL) {
            close(descriptor);
            return;
        }
        connection->descriptor = descriptor;
        connection->interest = EPOLLIN;
        if (watch(server, EPOLL_CTL_ADD, descriptor, EPOLLIN, connection) != 0) drop(server, connection);
    }
}

/// Returns false if the connection is closed.
static int answer(struct server *server, struct connection *connection) {
    while (connection->pending > 0) {
        size_t answers = connection->pending < BLOCK_ANSWERS ? connection->pending : BLOCK_ANSWERS;
        size_t length = answers * server->bytes - connection->offset;
        ssize_t written = write(connection->descriptor, server->block + connection->offset, length);
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN;
        }
        size_t done = connection->offset + (size_t)written;
        connection->pending -= done / server->bytes;
        connection->offset = done % server->bytes;
    }
    return 1;
}

static int receive(struct server *server, struct connection *connection) {
    ssize_t length = read(connection->descriptor, server->input, sizeof server->input);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    if (length == 0) return 0;
    const char *from = server->input;
    const char *end = server->input + length;
    while (from < end) {
        const char *line_end = memchr(from, '\n', (size_t)(end - from));
        if (line_end == NULL) break;
        connection->pending++;
        from = line_end + 1;
    }
    return 1;
}

static void serve(struct server *server, struct connection *connection) {
    if (connection->pending == 0 && !receive(server, connection)) {
        drop(server, connection);
        return;
    }
    if (!answer(server, connection)) {
        drop(server, connection);
        return;
    }
    uint32_t interest = connection->pending > 0 ? EPOLLOUT : EPOLLIN;
    if (interest == connection->interest) return;
    connection->interest = interest;
    if (watch(server, EPOLL_CTL_MOD, connection->descriptor, interest, connection) != 0) drop(server, connection);
}

static int prepare_answers(struct server *server) {
    server->block = malloc(server->bytes * BLOCK_ANSWERS);
    if (server->block == NULL) return -1;
    memset(server->block, 'x', server->bytes * BLOCK_ANSWERS);
    for (size_t i = 1; i <= BLOCK_ANSWERS; i++) server->block[i * server->bytes - 1] = '\n';
    return 0;
}

void echo_peer_run(int listener, size_t bytes) {
    if (bytes == 0) {
        errno = EINVAL;
        return;
    }
    signal(SIGPIPE, SIG_IGN);
    struct server *server = calloc(1, sizeof *server);
    if (server == NULL) return;
    server->bytes = bytes;
    server->listener = listener;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (server->epoll < 0 || watch(server, EPOLL_CTL_ADD, listener, EPOLLIN, NULL) != 0) return;
    if (prepare_answers(server) != 0) return;
    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        int count = epoll_wait(server->epoll, events, EVENTS_MAX, -1);
        if (count < 0 && errno != EINTR) return;
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr == NULL) accept_all(server);
            else serve(server, events[i].data.ptr);
        }
    }
}
