// What a text is asked that may hide a secret; part of CBytes.h.
#ifndef DISGUISES_H
#define DISGUISES_H

#include <stddef.h>
#include <stdint.h>

/// How many bytes a word of marks stands for, the lowest bit for the first.
#define BYTES_PER_MARKS 64

/// Marks where something begins that may hide a letter or split a word: a tag, an entity, an escape, a percent code, an
/// invisible character, or one as wide as a Chinese one. The first byte and the upper half of the second decide.
///
/// `marks` has room for one word for every `BYTES_PER_MARKS` bytes, the last for as many as there are.
void bytes_mark_disguises(const void *text, size_t count, uint64_t *marks);

#endif
