// What strings of JSON are asked when they are written; part of CBytes.h.
#ifndef JSON_STRINGS_H
#define JSON_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Copies bytes up to the first that a string of JSON must escape and returns how many. Behind them `to` has room for the
/// others too, which gets other bytes.
size_t bytes_copy_plain(void *to, const void *from, size_t count);

/// Whether a control character of ASCII but the last is among the bytes.
bool bytes_hold_control(const void *start, size_t count);

#endif
