// libFuzzer as a library. The option -sanitize=fuzzer links it, but the toolchain has no header for it.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs the fuzzer. After a crash, or when its time is over, the fuzzer itself ends the process.
int LLVMFuzzerRunDriver(int *count, char ***words, int (*callback)(const uint8_t *bytes, size_t count));

#endif
