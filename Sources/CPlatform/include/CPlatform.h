// What Glibc's Swift module lacks. Names begin with platform_; errors are -1 with errno, as in libc.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/types.h>

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC.
int platform_accept(int listener);

/// epoll_create1 with EPOLL_CLOEXEC.
int platform_epoll_create(void);

/// epoll_ctl with the data word set to `token`.
int platform_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// epoll_pwait2 where the kernel has it, else epoll_wait rounded up; `timeout_ns` < 0 waits without end.
int platform_epoll_wait(int epoll, struct epoll_event *events, int capacity, int64_t timeout_ns);

/// The data word of an event: struct epoll_event is packed, so Swift can't take its field's address.
uint64_t platform_event_token(const struct epoll_event *event);

/// The process, user and group on the other side of a connected Unix socket.
int platform_peer(int descriptor, pid_t *pid, uid_t *uid, gid_t *gid);

/// The groups of the process on the other side, as many as fit; how many there are, or -1.
int platform_peer_groups(int descriptor, gid_t *groups, int capacity);

/// Sends a datagram to an address, without waiting; one that is too large for a datagram goes as a sealed piece of
/// memory whose descriptor is sent. 0, or -1 with errno.
int platform_send_datagram(int descriptor, const void *address, uint32_t length, const void *bytes, size_t count);

/// A signalfd for `count` signals, which it blocks in the calling thread first.
int platform_signal_descriptor(const int *signals, int count);

/// The signal number of the next pending signal; -1 with EAGAIN when none is.
int platform_next_signal(int descriptor);

/// Blocks the signals in the calling thread, and in threads it starts later.
int platform_block_signals(const int *signals, int count);

/// Takes that back for the calling thread; one that is pending is delivered before this returns.
int platform_unblock_signals(const int *signals, int count);

/// Makes every signal deliverable again, and SIGPIPE and SIGXFSZ fatal again; for a child between fork and exec.
int platform_reset_signals(void);

/// The kernel's thread number, asked for once a thread.
pid_t platform_thread(void);

/// CLOCK_MONOTONIC in nanoseconds.
int64_t platform_monotonic_ns(void);

/// Whether the kernel has a route to a numeric address; nothing is sent.
int platform_has_route(const char *address);

/// Whether a name server gives any answer about a host, also that there is none of the name; blocks.
int platform_name_servers_answer(const char *host);

/// CLOCK_REALTIME in nanoseconds.
int64_t platform_realtime_ns(void);

/// CLOCK_BOOTTIME in nanoseconds: it goes on while the machine is suspended, and it cannot be set.
int64_t platform_boottime_ns(void);

/// errno as it is now.
int platform_errno(void);

/// The text of an errno, cut to the capacity, always ended by NUL.
void platform_error_text(int number, char *text, size_t capacity);

/// The process's program name for its threads, as `top -H` shows them.
int platform_name_thread(const char *name);

/// Lets each of the allocator's arenas keep so much free memory at its end instead of giving it back at once; and blocks
/// of a size and larger ones are mapped on their own, and given back when they are freed.
///
/// Returns 0, or -1 when the allocator refuses.
int platform_keep_free_memory(size_t bytes, size_t block);

/// Gives back the memory that only starting needed: pages of programs and libraries, and free heap.
///
/// The pages stay in the system's cache and come back, unchanged, when they are touched again.
void platform_release_start_memory(void);

/// Gives free heap back to the system; takes time in proportion to the heap.
void platform_release_free_memory(void);

/// Raises the soft limit of open descriptors to the hard one, where that is allowed; the limit in force afterwards, or -1
/// when it can't be read.
int64_t platform_raise_descriptor_limit(void);

/// Keeps what this process has in memory from other processes of its user and from core files, and has writes past the
/// limit on a file's size fail with EFBIG instead of ending it. 0, or -1 with errno when its memory can still be read.
///
/// Its files in /proc/PID belong to root from then on; it may read its own, and change none.
int platform_protect_process(void);

/// A descriptor of a process, which becomes readable when the process ends; -1 with errno when there is none.
int platform_open_process(pid_t process);

/// A descriptor that only names what stands at a path, a link itself included: good for fstat, not for reading. Closing
/// it releases no lock that this process has on the file.
int platform_open_path(const char *path);

/// The first `capacity` processors that the calling thread may run on, lowest first; how many were written.
int platform_processors(int *processors, int capacity);

/// Keeps the calling thread, and the threads and processes it starts later, on one processor.
int platform_pin(int processor);

/// Starts `program` as a daemon, in a new session: `searchd --socket SOCKET --ready-fd 3`.
///
/// It gets no other descriptor of ours: input from /dev/null, output and errors into `log`, and as descriptor 3 a pipe
/// whose reading end is left in `ready`. Its signals are as at boot. Its pid, or -1 with errno.
pid_t platform_spawn_daemon(const char *program, const char *socket, int log, int *ready);

/// Starts a program, found in PATH, in a new session that outlives ours, with stdin from /dev/null.
///
/// `words` ends in NULL and begins with the program; so ends `environment`, or it is NULL for ours. Output goes to a
/// descriptor, or for -1 to /dev/null; errors go to a descriptor, or for -1 where ours go. Its pid, or -1 with errno.
pid_t platform_spawn(char *const words[], char *const environment[], int output, int errors);

/// Starts a program, found in PATH, that shares our terminal and our session. Its signals are as at boot, its files ours.
///
/// With `input`, it reads a pipe whose writing end is left there. Its pid, or -1 with errno.
pid_t platform_spawn_attached(char *const words[], int *input);

/// Starts a program in a new session; its output and errors come through a pipe, whose reading end is left in `output`.
pid_t platform_spawn_heard(char *const words[], int *output);

/// Starts a program, by its path, that turns what strangers made into something else: it reads one pipe and writes another,
/// whose other ends are left in `input` and `output` and never block.
///
/// It has a session and no environment of ours, and no terminal; at most `memory` bytes of addresses and `seconds` of
/// processor time, and it can't write files. Its pid, or -1 with errno.
pid_t platform_spawn_decoder(char *const words[], size_t memory, unsigned seconds, int *input, int *output);

/// From now on a crash, or a signal that ends the program with a core, first writes a text of at most 256 bytes to a
/// terminal and gives it its settings back, a struct termios. 0, or -1 with errno.
int platform_guard_terminal(int input, const void *mode, int output, const void *text, size_t count);

/// Takes that back: those signals do what they do by themselves.
void platform_unguard_terminal(void);

#endif
