// SPDX-License-Identifier: Apache-2.0
// This target has no functions; its constructor runs before Swift Testing starts.
