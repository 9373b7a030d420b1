// System calls that Glibc's Swift module lacks. Unless a comment says otherwise, a failing
// function returns -1 and sets errno.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/types.h>

/// Calls accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC.
int platform_accept(int listener);

/// Calls epoll_create1 with EPOLL_CLOEXEC.
int platform_epoll_create(void);

/// Calls epoll_ctl with the data word set to `token`.
int platform_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// Calls epoll_pwait2, or epoll_wait with the timeout rounded up if the kernel is old. A negative timeout never
/// expires.
int platform_epoll_wait(int epoll, struct epoll_event *events, int capacity, int64_t timeout_ns);

/// Returns the data word of an event. Swift cannot read it, because struct epoll_event is packed.
uint64_t platform_event_token(const struct epoll_event *event);

/// Reads the process, user and group of the peer of a connected Unix socket (SO_PEERCRED).
int platform_peer(int descriptor, pid_t *pid, uid_t *uid, gid_t *gid);

/// Writes the supplementary groups of the peer. Returns their number, or -1 if they do not fit or cannot be read.
int platform_peer_groups(int descriptor, gid_t *groups, int capacity);

/// Blocks `count` signals in the calling thread and returns a signalfd for them.
int platform_signal_descriptor(const int *signals, int count);

/// Returns the number of the next pending signal of a signalfd, or -1 with EAGAIN if no signal is pending.
int platform_next_signal(int descriptor);

/// Blocks the signals in the calling thread and in threads that this thread starts later. Returns 0 or an error number,
/// and does not set errno.
int platform_block_signals(const int *signals, int count);

/// Unblocks the signals in the calling thread. Pending signals are delivered before the function returns. Returns 0 or
/// an error number, and does not set errno.
int platform_unblock_signals(const int *signals, int count);

/// Unblocks all signals in the calling thread and restores the default actions of SIGPIPE and SIGXFSZ. Call it before
/// exec. Returns 0 or an error number, and does not set errno.
int platform_reset_signals(void);

/// Returns the kernel's ID of the calling thread, which is cached per thread.
pid_t platform_thread(void);

int64_t platform_monotonic_ns(void);

/// Returns 0 if the kernel has no route to a numeric address, and otherwise 1. It sends no packet.
int platform_has_route(const char *address);

/// Looks up a host name. Returns 1 if it has an address, -1 if no name server answers (EAI_AGAIN), and otherwise 0. It
/// blocks.
int platform_look_up(const char *host);

/// Returns a non-blocking TCP connection to a host and port, or -1 with errno, or -2 if the lookup of the name fails.
/// It blocks during the lookup, and then for up to `milliseconds` per address.
int platform_connect(const char *host, const char *port, int milliseconds);

int64_t platform_realtime_ns(void);

/// Returns CLOCK_BOOTTIME in nanoseconds. This clock cannot be set, and continues while the machine is suspended.
int64_t platform_boottime_ns(void);

int platform_errno(void);

/// Writes the text of an errno, truncated to the capacity and ended by NUL.
void platform_error_text(int number, char *text, size_t capacity);

/// Names the calling thread. Returns 0 or an error number, and does not set errno.
int platform_name_thread(const char *name);

/// Lets each arena of malloc keep up to `bytes` of free memory at its end. Blocks of at least `block` bytes are mapped
/// separately and returned to the system when they are freed. Returns 0 or -1, and does not set errno.
int platform_keep_free_memory(size_t bytes, size_t block);

/// Returns free heap and read-only pages of programs and libraries to the system. The kernel loads these pages again
/// when they are used.
void platform_release_start_memory(void);

/// Returns free heap to the system in O(n) of the heap's size.
void platform_release_free_memory(void);

/// Raises the soft limit of open descriptors to the hard limit if that is allowed. Returns the resulting limit, or -1
/// if it cannot be read.
int64_t platform_raise_descriptor_limit(void);

/// Protects the memory of this process from other processes of its user, and disables core dumps. Returns -1 if the
/// memory is not protected. Also ignores SIGXFSZ, so writes above the file size limit fail with EFBIG. After the call,
/// the process cannot write its files in /proc/PID, because root owns them.
int platform_protect_process(void);

/// Returns a pidfd, which becomes readable when the process ends.
int platform_open_process(pid_t process);

/// Opens a path with O_PATH, and does not follow a link at the end of the path. The descriptor can be used for fstat,
/// but not for reading. Closing the descriptor does not release this process's locks on the file.
int platform_open_path(const char *path);

/// Writes the first `capacity` processors on which the calling thread may run, in ascending order. Returns their
/// number.
int platform_processors(int *processors, int capacity);

/// Pins the calling thread, and the threads and processes that it starts later, to one processor.
int platform_pin(int processor);

/// Sets the effective user of the calling thread only, unlike glibc's `seteuid`, which changes all threads. It needs
/// root.
int platform_set_thread_user(uid_t user);

/// Starts `program` as a daemon in a new session: `searchd --socket SOCKET --ready-fd 3`. Returns its pid. Its stdout
/// and stderr are `log`. Descriptor 3 is the write end of a pipe, and `ready` receives the read end. The daemon
/// inherits no other descriptor and no signal actions.
pid_t platform_spawn_daemon(const char *program, const char *socket, int log, int *ready);

/// Starts a program from PATH in a new session and returns its pid. stdin is /dev/null. If `output` is -1, stdout is
/// /dev/null. If `errors` is -1, stderr is the caller's. If `environment` is NULL, the environment is the caller's.
/// `words` and `environment` end with NULL.
pid_t platform_spawn(char *const words[], char *const environment[], int output, int errors);

/// Starts a program from PATH in the caller's session and terminal, with the caller's standard streams and default
/// signal actions. If `input` is not NULL, stdin is a pipe and `input` receives its write end. Returns the pid.
pid_t platform_spawn_attached(char *const words[], int *input);

/// Starts a program in a new session and returns its pid. `output` receives the read end of a pipe for its stdout and
/// stderr.
pid_t platform_spawn_captured(char *const words[], int *output);

/// Starts a program, by its path, that decodes untrusted data from stdin to stdout. Returns its pid. Both streams are
/// pipes. `input` and `output` receive this process's ends, which are non-blocking. The program has a new session and
/// an almost empty environment. It may use `memory` bytes of address space and `seconds` of processor time, and cannot
/// write files.
pid_t platform_spawn_decoder(char *const words[], size_t memory, unsigned seconds, int *input, int *output);

/// Limits this process to `memory` bytes of address space, and to `seconds` of processor time and of real time. The
/// kernel kills the process when either time is over.
int platform_limit_reader(size_t memory, unsigned seconds);

/// Restricts this process until it ends. The process can read and write its open descriptors, allocate memory and exit.
/// It cannot open files or connections, and cannot start programs or threads.
int platform_confine(void);

/// Installs a handler for fatal signals. The handler writes `text` to the descriptor `output` and restores the settings
/// `mode`, a struct termios, of the terminal `input`. `text` has at most 256 bytes.
int platform_guard_terminal(int input, const void *mode, int output, const void *text, size_t count);

void platform_unguard_terminal(void);

#endif
