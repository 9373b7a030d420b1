// SPDX-License-Identifier: Apache-2.0
// Settings that apply before Swift Testing starts; there is nothing to call.
