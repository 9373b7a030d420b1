#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int none = -1;
static const int ready_in_child = 3;

// `passed` becomes descriptor 3. Higher descriptors are closed, because they may hold locks of the caller.
static int describe_files(posix_spawn_file_actions_t *files, int output, int errors, int passed) {
    int failure = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    if (output == none) {
        if (!failure) failure = posix_spawn_file_actions_addopen(files, 1, "/dev/null", O_WRONLY, 0);
    } else {
        if (!failure) failure = posix_spawn_file_actions_adddup2(files, output, 1);
    }
    if (errors != none && !failure) failure = posix_spawn_file_actions_adddup2(files, errors, 2);
    int first_closed = ready_in_child;
    if (passed != none && !failure) failure = posix_spawn_file_actions_adddup2(files, passed, first_closed++);
    return failure ? failure : posix_spawn_file_actions_addclosefrom_np(files, first_closed);
}

static int describe_process(posix_spawnattr_t *attributes, short more_flags) {
    sigset_t empty, all;
    sigemptyset(&empty);
    sigfillset(&all);
    int failure = posix_spawnattr_setsigmask(attributes, &empty);
    if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | more_flags;
    return failure ? failure : posix_spawnattr_setflags(attributes, flags);
}

static pid_t spawn(const char *program, char *const words[], char *const environment[], int output, int errors,
                   int passed) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    pid_t child = -1;
    int failure = describe_files(&files, output, errors, passed);
    if (!failure) failure = describe_process(&attributes, POSIX_SPAWN_SETSID);
    if (!failure) failure = posix_spawnp(&child, program, &files, &attributes, words, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failure) errno = failure;
    return failure ? -1 : child;
}

// Returns the read end of a pipe in `reading` and closes the write end. Closes both if the child did not start.
static pid_t keep_reading_end(const int ends[2], pid_t child, int *reading) {
    const int failure = errno;
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        errno = failure;
    } else {
        *reading = ends[0];
    }
    return child;
}

// glibc reads these settings only at program start. The systemd units have the same values.
static char tunables[] = "GLIBC_TUNABLES=glibc.malloc.tcache_count=64:glibc.malloc.hugetlb=1";

static char **environment_with_tunables(void) {
    size_t count = 0;
    while (environ && environ[count]) count++;
    char **environment = malloc((count + 2) * sizeof *environment);
    if (!environment) return NULL;
    if (count > 0) memcpy(environment, environ, count * sizeof *environment);
    environment[count] = tunables;
    environment[count + 1] = NULL;
    return environment;
}

pid_t platform_spawn_daemon(const char *program, const char *socket, int log, int *ready) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const char *const words[] = {"searchd", "--socket", socket, "--ready-fd", "3", NULL};
    char **made = getenv("GLIBC_TUNABLES") ? NULL : environment_with_tunables();
    pid_t child = spawn(program, (char *const *)words, made ? made : environ, log, log, ends[1]);
    child = keep_reading_end(ends, child, ready);
    free(made);
    return child;
}

pid_t platform_spawn(char *const words[], char *const environment[], int output, int errors) {
    return spawn(words[0], words, environment ? environment : environ, output, errors, none);
}

pid_t platform_spawn_captured(char *const words[], int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    return keep_reading_end(ends, spawn(words[0], words, environ, ends[1], ends[1], none), output);
}

pid_t platform_spawn_attached(char *const words[], int *input) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int ends[2] = {none, none};
    if (input && pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    pid_t child = -1;
    int failure = input ? posix_spawn_file_actions_adddup2(&files, ends[0], 0) : 0;
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&files, 3);
    if (!failure) failure = describe_process(&attributes, 0);
    if (!failure) failure = posix_spawnp(&child, words[0], &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (input) close(ends[0]);
    if (failure) {
        if (input) close(ends[1]);
        errno = failure;
        return -1;
    }
    if (input) *input = ends[1];
    return child;
}

static int describe_filter(posix_spawn_file_actions_t *files, int input, int output) {
    int failure = posix_spawn_file_actions_adddup2(files, input, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(files, output, 1);
    if (!failure) failure = posix_spawn_file_actions_addopen(files, 2, "/dev/null", O_WRONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(files, 3);
    return failure;
}

// Must be called before the child receives data.
static int limit(pid_t child, size_t memory, unsigned seconds) {
    const struct rlimit bytes = {memory, memory}, time = {seconds, seconds}, nothing = {0, 0};
    if (prlimit(child, RLIMIT_AS, &bytes, NULL) != 0) return -1;
    if (prlimit(child, RLIMIT_CPU, &time, NULL) != 0) return -1;
    if (prlimit(child, RLIMIT_CORE, &nothing, NULL) != 0) return -1;
    return prlimit(child, RLIMIT_FSIZE, &nothing, NULL);
}

static void close_both(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

pid_t platform_spawn_decoder(char *const words[], size_t memory, unsigned seconds, int *input, int *output) {
    char *const environment[] = {"LC_ALL=C.UTF-8", NULL};
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0) return -1;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close_both(in);
        return -1;
    }
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    pid_t child = -1;
    int failure = describe_filter(&files, in[0], out[1]);
    if (!failure) failure = describe_process(&attributes, POSIX_SPAWN_SETSID);
    if (!failure) failure = posix_spawn(&child, words[0], &files, &attributes, words, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (!failure && limit(child, memory, seconds) != 0) {
        failure = errno;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    if (failure) {
        close_both(in);
        close_both(out);
        errno = failure;
        return -1;
    }
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    *input = in[1];
    *output = out[0];
    return child;
}
