// libFuzzer, as a library: it is linked by -sanitize=fuzzer, and has no header of its own in a toolchain.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Fuzzes until it has found something, or as long as the arguments say; its exit status.
int LLVMFuzzerRunDriver(int *count, char ***words, int (*callback)(const uint8_t *bytes, size_t count));

#endif
