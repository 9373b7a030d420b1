// System calls that Swift's Glibc module lacks. By default, a function that fails returns -1 and sets errno.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/types.h>

int platform_accept(int listener);

int platform_epoll_create(void);

int platform_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// A negative timeout never expires. Old kernels round the timeout up to milliseconds.
int platform_epoll_wait(int epoll, struct epoll_event *events, int capacity, int64_t timeout_ns);

/// Returns the token of an event. Swift cannot read it, because struct epoll_event is packed.
uint64_t platform_event_token(const struct epoll_event *event);

int platform_peer(int descriptor, pid_t *pid, uid_t *uid, gid_t *gid);

int platform_peer_groups(int descriptor, gid_t *groups, int capacity);

int platform_signal_descriptor(const int *signals, int count);

int platform_next_signal(int descriptor);

/// Blocks the signals in the calling thread, and in threads that it starts later. Returns 0 or an error number.
int platform_block_signals(const int *signals, int count);

/// Returns 0 or an error number. Pending signals are delivered before the function returns.
int platform_unblock_signals(const int *signals, int count);

/// Call this function before exec. Returns 0 or an error number.
int platform_reset_signals(void);

pid_t platform_thread(void);

int64_t platform_monotonic_ns(void);

/// Sends no packet. Returns 0 if the kernel has no route to the numeric address, otherwise 1.
int platform_has_route(const char *address);

/// Looks up a host name, and blocks meanwhile. Returns 1 if the name has an address, -1 if no name server answers
/// (EAI_AGAIN), and otherwise 0.
int platform_look_up(const char *host);

/// Blocks during the lookup, and then up to `milliseconds` per address. Returns -2 if the lookup fails.
int platform_connect(const char *host, const char *port, int milliseconds);

int64_t platform_realtime_ns(void);

/// This clock cannot be set, and continues while the machine is suspended.
int64_t platform_boottime_ns(void);

int platform_errno(void);

void platform_error_text(int number, char *text, size_t capacity);

/// Returns 0 or an error number.
int platform_name_thread(const char *name);

/// After the call, malloc keeps up to `bytes` of free memory, but gives each freed block of at least `block` bytes back to
/// the kernel.
int platform_keep_free_memory(size_t bytes, size_t block);

/// Releases free memory, and read-only pages of programs and libraries. The kernel loads the pages again when they
/// are used.
void platform_release_start_memory(void);

/// Takes a time that is proportional to the size of the heap.
void platform_release_free_memory(void);

int64_t platform_raise_descriptor_limit(void);

/// Protects this process's memory from other processes of its user. As a result, root owns the files in /proc/PID.
int platform_protect_process(void);

int platform_open_process(pid_t process);

/// Opens a path with O_PATH and O_NOFOLLOW. Closing such a descriptor does not release the process's locks on the file.
int platform_open_path(const char *path);

int platform_processors(int *processors, int capacity);

/// Pins the calling thread, and threads and processes that it starts later.
int platform_pin(int processor);

/// Sets the effective user of one thread. glibc's `seteuid` would change all threads. Needs root.
int platform_set_thread_user(uid_t user);

/// Runs `searchd --socket SOCKET --ready-fd 3`. `ready` receives the read end of a pipe from descriptor 3.
pid_t platform_spawn_daemon(const char *program, const char *socket, int log, int *ready);

/// `words` and `environment` end with NULL. If `output` is -1, stdout is /dev/null. If `errors` is -1, stderr is the
/// caller's. If `environment` is NULL, the environment is the caller's.
pid_t platform_spawn(char *const words[], char *const environment[], int output, int errors);

/// The program keeps the caller's terminal. If `input` is not NULL, stdin is a pipe and `input` receives its write end.
pid_t platform_spawn_attached(char *const words[], int *input);

/// `output` receives the read end of a pipe for stdout and stderr.
pid_t platform_spawn_captured(char *const words[], int *output);

/// Starts a program that decodes untrusted data from stdin to stdout. `input` and `output` receive non-blocking pipe
/// ends. `memory` limits the address space, and `seconds` the processor time. The program cannot write files.
pid_t platform_spawn_decoder(char *const words[], size_t memory, unsigned seconds, int *input, int *output);

/// Limits the address space, the processor time and the real time. At either time limit, the kernel kills the process.
int platform_limit_reader(size_t memory, unsigned seconds);

/// After the call, this process can use its open descriptors and allocate memory. It cannot open or start anything.
int platform_confine(void);

/// On a fatal signal, writes `text` (at most 256 bytes) to `output`, and restores `mode` (a struct termios) of `input`.
int platform_guard_terminal(int input, const void *mode, int output, const void *text, size_t count);

void platform_unguard_terminal(void);

#endif
