// SPDX-License-Identifier: Apache-2.0
// What tests set before Swift Testing starts; there is nothing to call.
