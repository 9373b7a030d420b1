// SPDX-License-Identifier: Apache-2.0
// This target has no functions. Its constructor runs before Swift Testing starts.
