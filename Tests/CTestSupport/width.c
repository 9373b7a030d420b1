// SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <stdlib.h>

// The tests of all modules run in one process, and by default Swift Testing starts all of them at once. Then a test
// that waits for an event continues only after thousands of other tests have run, and exceeds its timeouts. The
// constructor runs before `main`, and Swift Testing reads the variable when it starts.
__attribute__((constructor)) static void limit_tests_at_a_time(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
