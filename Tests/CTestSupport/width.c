// SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <stdlib.h>

// The tests of all modules run in one process, and Swift Testing would start all of them at once. A test that waits
// for an event would then exceed its timeout, because thousands of other tests run first. Swift Testing reads the
// variable when it starts, so the constructor sets it before `main`.
__attribute__((constructor)) static void limit_tests_at_a_time(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
