// Tests of sixteen bytes at once, which Swift's vectors make byte by byte, and functions over whole texts. Names begin
// with bytes_.
//
// A test takes the address of sixteen readable bytes, of any alignment, and returns a bit for each byte that it holds
// for, the lowest for the first byte.
#ifndef CBYTES_H
#define CBYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int8_t bytes_block __attribute__((ext_vector_type(16)));
typedef uint8_t bytes_unsigned_block __attribute__((ext_vector_type(16)));
typedef _Bool bytes_marks __attribute__((ext_vector_type(16)));

#define BYTES_TEST __attribute__((always_inline)) static inline

BYTES_TEST bytes_block bytes_load(const void *start) {
    bytes_block block;
    memcpy(&block, start, sizeof block);
    return block;
}

BYTES_TEST uint32_t bytes_bits(bytes_block found) {
    bytes_marks marks = __builtin_convertvector(found, bytes_marks);
    uint16_t bits;
    memcpy(&bits, &marks, sizeof bits);
    return bits;
}

/// Bits of the bytes that a JSON string must escape or that are not ASCII, which are below zero as signed numbers.
BYTES_TEST uint32_t bytes_escapable_or_not_ascii(const void *start) {
    bytes_block block = bytes_load(start);
    return bytes_bits((bytes_block)((block < 0x20) | (block == '"') | (block == '\\')));
}

/// Bits of the bytes equal to `byte`.
BYTES_TEST uint32_t bytes_equal(const void *start, uint8_t byte) {
    bytes_unsigned_block block = (bytes_unsigned_block)bytes_load(start);
    return bytes_bits((bytes_block)(block == byte));
}

/// First bytes, in valid UTF-8, of characters that may be no plain text, or one of these two: of plain text are the
/// blank, visible ASCII, U+4000 to U+9FFF and U+AC00 to U+D77F, which are Chinese characters and Hangul.
///
/// The second byte decides about some; where that is the seventeenth, the first counts as plain.
BYTES_TEST uint32_t bytes_not_plain(const void *start, uint8_t one, uint8_t other) {
    bytes_unsigned_block block = (bytes_unsigned_block)bytes_load(start);
    bytes_block ascii = (bytes_block)((block < 0x20) | (block == 0x7F) | (block == one) | (block == other));
    bytes_block leads = (bytes_block)((block >= 0xC0) & ((block < 0xE4) | (block > 0xED)));
    uint32_t below_b0 = bytes_bits((bytes_block)((block >= 0x80) & (block < 0xB0)));
    uint32_t above_9d = bytes_bits((bytes_block)((block > 0x9D) & (block < 0xC0)));
    uint32_t first_hangul = bytes_bits((bytes_block)(block == 0xEA));
    uint32_t last_hangul = bytes_bits((bytes_block)(block == 0xED));
    return bytes_bits(ascii | leads) | (first_hangul & below_b0 >> 1) | (last_hangul & above_9d >> 1);
}

/// Bits of the bytes that a URL must encode: blanks, control characters, some signs, all that is not ASCII.
BYTES_TEST uint32_t bytes_not_of_urls(const void *start) {
    bytes_block block = bytes_load(start);
    bytes_block signs = (bytes_block)((block == '"') | (block == '<') | (block == '>') | (block == '\\'));
    bytes_block others = (bytes_block)((block == '^') | (block == '`') | ((block >= '{') & (block <= '}')));
    return bytes_bits(signs | others | (bytes_block)((block <= 0x20) | (block == 0x7F)));
}

/// Replaces the line ends among sixteen bytes by blanks.
BYTES_TEST void bytes_blank_line_ends(void *start) {
    bytes_block block = bytes_load(start);
    bytes_block ends = (bytes_block)((block == '\n') | (block == '\r'));
    block = (block & ~ends) | (ends & ' ');
    memcpy(start, &block, sizeof block);
}

/// Copies bytes up to the first that a JSON string must escape and returns how many. `to` has room for all `count`
/// bytes; what lies behind the copied ones may be overwritten.
size_t bytes_copy_plain(void *to, const void *from, size_t count);

/// Whether a control character of ASCII but the last is among the bytes.
bool bytes_hold_control(const void *start, size_t count);

/// How many bytes a word of marks stands for, the lowest bit for the first.
#define BYTES_PER_MARKS 64

/// Marks the bytes at which something may begin that hides a letter or splits a word: a tag, an entity, an escape, a
/// percent code, an invisible character, or a wide letter. Decided by the byte and the upper half of the next one.
///
/// `marks` has room for one word for every `BYTES_PER_MARKS` bytes, the last for as many as there are.
void bytes_mark_disguises(const void *text, size_t count, uint64_t *marks);

#endif
