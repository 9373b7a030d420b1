// SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <stdlib.h>

// Without this limit, Swift Testing starts all tests at once, and waiting tests exceed their timeouts. Swift Testing
// reads the variable when it starts, so the constructor sets the variable before `main`.
__attribute__((constructor)) static void limit_tests_at_a_time(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
