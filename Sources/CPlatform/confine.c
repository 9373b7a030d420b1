#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int platform_limit_reader(size_t memory, unsigned seconds) {
    const struct rlimit bytes = {memory, memory}, time = {seconds, seconds}, nothing = {0, 0};
    if (setrlimit(RLIMIT_AS, &bytes) != 0 || setrlimit(RLIMIT_CPU, &time) != 0) return -1;
    if (setrlimit(RLIMIT_CORE, &nothing) != 0) return -1;
    alarm(seconds);
    return 0;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "unknown architecture"
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
// Skips the next statement unless the loaded word is `value`.
#define UNLESS(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1)
#define ALLOW(call) UNLESS(SYS_##call), RETURN(SECCOMP_RET_ALLOW)

int platform_confine(void) {
    struct sock_filter statements[] = {
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
        ALLOW(read), ALLOW(write), ALLOW(exit), ALLOW(exit_group), ALLOW(brk), ALLOW(munmap), ALLOW(mremap),
        ALLOW(madvise), ALLOW(futex), ALLOW(clock_gettime), ALLOW(getrandom), ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask),
        ALLOW(sched_yield), ALLOW(restart_syscall), ALLOW(getpid), ALLOW(gettid), ALLOW(tgkill),
        // Memory must not be executable.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4), LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_ERRNO | EPERM), RETURN(SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog filter = {sizeof statements / sizeof statements[0], statements};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
