#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// Used by the signal handler. Changes only while the handler is not installed.
static struct {
    int input, output;
    struct termios mode;
    char text[256];
    size_t count;
} guarded;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT};
enum { fatal_count = sizeof fatal_signals / sizeof *fatal_signals };

// With its own stack, the handler also works after a stack overflow.
static char handler_stack[32 << 10];

// Calls only async-signal-safe functions. SA_RESETHAND restored the default action, so `raise` ends the process.
static void restore_terminal(int signal) {
    ssize_t written = write(guarded.output, guarded.text, guarded.count);
    (void)written;
    tcsetattr(guarded.input, TCSANOW, &guarded.mode);
    raise(signal);
}

int platform_guard_terminal(int input, const void *mode, int output, const void *text, size_t count) {
    if (count > sizeof guarded.text) {
        errno = EMSGSIZE;
        return -1;
    }
    platform_unguard_terminal();
    guarded.input = input;
    guarded.output = output;
    memcpy(&guarded.mode, mode, sizeof guarded.mode);
    memcpy(guarded.text, text, count);
    guarded.count = count;
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    if (sigaltstack(&stack, NULL) != 0) return -1;
    struct sigaction action = {.sa_handler = restore_terminal, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    for (int i = 0; i < fatal_count; i++) {
        if (sigaction(fatal_signals[i], &action, NULL) != 0) return -1;
    }
    return 0;
}

void platform_unguard_terminal(void) {
    for (int i = 0; i < fatal_count; i++) signal(fatal_signals[i], SIG_DFL);
}
