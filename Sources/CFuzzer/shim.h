// The entry point of libFuzzer. The toolchain has no header for it.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// After a crash or at its time limit, the fuzzer ends the process.
int LLVMFuzzerRunDriver(int *count, char ***words, int (*callback)(const uint8_t *bytes, size_t count));

#endif
