#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// What a handler of signals may touch: filled while none is installed.
static struct {
    int input, output;
    struct termios mode;
    char text[256];
    size_t count;
} guarded;

// What ends a program that did not mean to.
static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT};
enum { deadly_count = sizeof deadly / sizeof *deadly };

// A handler of its own stack works where the stack is what has run out.
static char handler_stack[32 << 10];

// Only calls that a handler may make. The signal is then what it is by itself: the handler is used once.
static void give_back(int signal) {
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
    struct sigaction action = {.sa_handler = give_back, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    for (int i = 0; i < deadly_count; i++) {
        if (sigaction(deadly[i], &action, NULL) != 0) return -1;
    }
    return 0;
}

void platform_unguard_terminal(void) {
    for (int i = 0; i < deadly_count; i++) signal(deadly[i], SIG_DFL);
}
