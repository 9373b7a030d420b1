#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

static const int ready_in_child = 3;

static int describe_files(posix_spawn_file_actions_t *files, int log, int ready) {
    int failure = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(files, log, 1);
    if (!failure) failure = posix_spawn_file_actions_adddup2(files, log, 2);
    if (!failure) failure = posix_spawn_file_actions_adddup2(files, ready, ready_in_child);
    // A lock or a pipe of the shell that called us must not live as long as the daemon does.
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(files, ready_in_child + 1);
    return failure;
}

static int describe_process(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failure = posix_spawnattr_setsigmask(attributes, &none);
    if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    return failure ? failure : posix_spawnattr_setflags(attributes, flags);
}

pid_t platform_spawn_daemon(const char *program, const char *socket, int log, int *ready) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    const char *const arguments[] = {"searchd", "--socket", socket, "--ready-fd", "3", NULL};
    pid_t child = -1;
    int failure = describe_files(&files, log, ends[1]);
    if (!failure) failure = describe_process(&attributes);
    if (!failure) failure = posix_spawn(&child, program, &files, &attributes, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (failure) {
        close(ends[0]);
        errno = failure;
        return -1;
    }
    *ready = ends[0];
    return child;
}

pid_t platform_spawn_apart(char *const words[]) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    pid_t child = -1;
    int failure = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&files, 3);
    if (!failure) failure = describe_process(&attributes);
    if (!failure) failure = posix_spawnp(&child, words[0], &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failure) {
        errno = failure;
        return -1;
    }
    return child;
}

pid_t platform_spawn_heard(char *const words[], int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    pid_t child = -1;
    int failure = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&files, ends[1], 2);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&files, 3);
    if (!failure) failure = describe_process(&attributes);
    if (!failure) failure = posix_spawnp(&child, words[0], &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (failure) {
        close(ends[0]);
        errno = failure;
        return -1;
    }
    *output = ends[0];
    return child;
}
