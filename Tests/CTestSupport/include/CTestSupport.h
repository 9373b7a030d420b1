// SPDX-License-Identifier: Apache-2.0
// This target has no functions. Its constructor limits how many tests run at the same time. The constructor runs before
// Swift Testing starts.
