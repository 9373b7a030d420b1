// SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <stdlib.h>

// Swift Testing would start all tests at once, and waiting tests would then exceed their timeouts. Swift Testing reads
// the variable when it starts, so the constructor sets the variable before `main`.
__attribute__((constructor)) static void limit_tests_at_a_time(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
