// What a whole text of JSON is asked at once; part of CBytes.h.
#ifndef JSON_MARKS_H
#define JSON_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many bytes a word of marks stands for, the lowest bit for the first.
#define BYTES_PER_MARKS 64

/// Marks the bytes at which a plain run of a string may end: quotes, backslashes, control characters, and the place
/// behind the text. `marks` has room for `count / BYTES_PER_MARKS + 1` words.
///
/// False when the text is not UTF-8 to the letter, or this processor lacks the instructions; what is marked then means
/// nothing.
bool bytes_mark_json(const void *text, size_t count, uint64_t *marks);

#endif
