// Questions to sixteen bytes at once, which Swift's vectors answer byte by byte, and to whole texts of JSON: those are
// declared in the headers named below. Names begin with bytes_.
//
// Each question here takes the address of sixteen readable bytes, of any alignment, and answers in bits, the lowest for the first
// byte: those of the bytes that are meant.
#ifndef CBYTES_H
#define CBYTES_H

#include <stdint.h>
#include <string.h>

#include "disguises.h"
#include "json_strings.h"

typedef int8_t bytes_block __attribute__((ext_vector_type(16)));
typedef uint8_t bytes_unsigned_block __attribute__((ext_vector_type(16)));
typedef _Bool bytes_marks __attribute__((ext_vector_type(16)));

#define BYTES_QUESTION __attribute__((always_inline)) static inline

BYTES_QUESTION bytes_block bytes_load(const void *start) {
    bytes_block block;
    memcpy(&block, start, sizeof block);
    return block;
}

BYTES_QUESTION uint32_t bytes_bits(bytes_block found) {
    bytes_marks marks = __builtin_convertvector(found, bytes_marks);
    uint16_t bits;
    memcpy(&bits, &marks, sizeof bits);
    return bits;
}

/// What a string of JSON must escape: quotes, backslashes, control characters.
BYTES_QUESTION uint32_t bytes_escapable(const void *start) {
    bytes_unsigned_block block = (bytes_unsigned_block)bytes_load(start);
    return bytes_bits((bytes_block)((block < 0x20) | (block == '"') | (block == '\\')));
}

/// The same, with all that is not ASCII: as signed numbers those are below zero.
BYTES_QUESTION uint32_t bytes_escapable_or_not_ascii(const void *start) {
    bytes_block block = bytes_load(start);
    return bytes_bits((bytes_block)((block < 0x20) | (block == '"') | (block == '\\')));
}

/// Those that are this one.
BYTES_QUESTION uint32_t bytes_equal(const void *start, uint8_t byte) {
    bytes_unsigned_block block = (bytes_unsigned_block)bytes_load(start);
    return bytes_bits((bytes_block)(block == byte));
}

/// First bytes, in valid UTF-8, of characters that may be no plain text, or one of these two: of plain text are the
/// blank, visible ASCII, U+4000 to U+9FFF and U+AC00 to U+D77F, which are Chinese characters and Hangul.
///
/// The second byte decides about some; where that is the seventeenth, the first counts as plain.
BYTES_QUESTION uint32_t bytes_not_plain(const void *start, uint8_t one, uint8_t other) {
    bytes_unsigned_block block = (bytes_unsigned_block)bytes_load(start);
    bytes_block ascii = (bytes_block)((block < 0x20) | (block == 0x7F) | (block == one) | (block == other));
    bytes_block leads = (bytes_block)((block >= 0xC0) & ((block < 0xE4) | (block > 0xED)));
    uint32_t below_b0 = bytes_bits((bytes_block)((block >= 0x80) & (block < 0xB0)));
    uint32_t above_9d = bytes_bits((bytes_block)((block > 0x9D) & (block < 0xC0)));
    uint32_t first_hangul = bytes_bits((bytes_block)(block == 0xEA));
    uint32_t last_hangul = bytes_bits((bytes_block)(block == 0xED));
    return bytes_bits(ascii | leads) | (first_hangul & below_b0 >> 1) | (last_hangul & above_9d >> 1);
}

/// What a URL never holds as it stands: blanks, control characters, some signs, all that is not ASCII.
BYTES_QUESTION uint32_t bytes_not_of_urls(const void *start) {
    bytes_block block = bytes_load(start);
    bytes_block signs = (bytes_block)((block == '"') | (block == '<') | (block == '>') | (block == '\\'));
    bytes_block others = (bytes_block)((block == '^') | (block == '`') | ((block >= '{') & (block <= '}')));
    return bytes_bits(signs | others | (bytes_block)((block <= 0x20) | (block == 0x7F)));
}

/// Writes sixteen bytes again, the line ends among them as blanks.
BYTES_QUESTION void bytes_blank_line_ends(void *start) {
    bytes_block block = bytes_load(start);
    bytes_block ends = (bytes_block)((block == '\n') | (block == '\r'));
    block = (block & ~ends) | (ends & ' ');
    memcpy(start, &block, sizeof block);
}

#endif
