#include "CBytes.h"

#include <string.h>

/// What two bytes that stand side by side may begin, each a bit.
enum {
    PERCENT_CODE = 1 << 0,
    ENTITY = 1 << 1,
    TAG = 1 << 2,
    ESCAPE = 1 << 3,
    /// C2 and CD: controls, the soft hyphen, the grapheme joiner.
    OF_TWO = 1 << 4,
    /// D8: the mark of direction in Arabic.
    ARABIC = 1 << 5,
    /// E1, E2 and EF: what has no width, and wide letters.
    OF_THREE = 1 << 6,
    /// F0 to F4: tags of language, and the two of each plane that are no characters.
    OF_FOUR = 1 << 7,

    AFTER_ANY = TAG,
};

/// What each nibble allows for: both of the first byte, and the upper one of the second. What all three name is meant.
static const uint8_t first_upper[16] = {
    [0x2] = PERCENT_CODE | ENTITY, [0x3] = TAG,      [0x5] = ESCAPE,  [0xC] = OF_TWO,
    [0xD] = ARABIC,                [0xE] = OF_THREE, [0xF] = OF_FOUR,
};
static const uint8_t first_lower[16] = {
    [0x0] = OF_FOUR,
    [0x1] = OF_THREE | OF_FOUR,
    [0x2] = OF_TWO | OF_THREE | OF_FOUR,
    [0x3 ... 0x4] = OF_FOUR,
    [0x5] = PERCENT_CODE,
    [0x6] = ENTITY,
    [0x8] = ARABIC,
    [0xC] = TAG | ESCAPE,
    [0xD] = OF_TWO,
    [0xF] = OF_THREE,
};
static const uint8_t second_upper[16] = {
    [0x0 ... 0x1] = AFTER_ANY,
    [0x2] = AFTER_ANY | ENTITY,
    [0x3 ... 0x4] = AFTER_ANY | PERCENT_CODE,
    [0x5] = AFTER_ANY,
    [0x6] = AFTER_ANY | PERCENT_CODE | ENTITY,
    [0x7] = AFTER_ANY | ENTITY | ESCAPE,
    [0x8] = AFTER_ANY | OF_TWO | OF_THREE | OF_FOUR,
    [0x9] = AFTER_ANY | OF_TWO | ARABIC | OF_FOUR,
    [0xA] = AFTER_ANY | OF_TWO | OF_THREE | OF_FOUR,
    [0xB] = AFTER_ANY | OF_THREE | OF_FOUR,
    [0xC ... 0xF] = AFTER_ANY,
};

static void mark_narrow(const uint8_t *text, size_t count, uint64_t *marks) {
    memset(marks, 0, (count + BYTES_PER_MARKS - 1) / BYTES_PER_MARKS * sizeof *marks);
    for (size_t place = 0; place < count; place++) {
        uint8_t second = place + 1 < count ? text[place + 1] : 0;
        uint8_t found = first_upper[text[place] >> 4] & first_lower[text[place] & 0xF] & second_upper[second >> 4];
        if (found != 0) marks[place / BYTES_PER_MARKS] |= (uint64_t)1 << place % BYTES_PER_MARKS;
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx2"), always_inline)) static inline

WIDE __m256i bytes_of(uint8_t byte) { return _mm256_set1_epi8((char)byte); }

WIDE __m256i load(const uint8_t *start) { return _mm256_loadu_si256((const __m256i *)(const void *)start); }

/// The entries of a table that the lower nibbles of some bytes name; their upper nibbles are below 8.
WIDE __m256i look_up(const uint8_t table[16], __m256i nibbles) {
    __m128i half = _mm_loadu_si128((const __m128i *)(const void *)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), nibbles);
}

WIDE __m256i lower(__m256i bytes) { return _mm256_and_si256(bytes, bytes_of(0x0F)); }

WIDE __m256i upper(__m256i bytes) { return lower(_mm256_srli_epi16(bytes, 4)); }

/// The bits of 32 bytes; the byte behind them is read too.
WIDE uint32_t disguises(const uint8_t *start) {
    __m256i first = load(start);
    __m256i of_first = _mm256_and_si256(look_up(first_upper, upper(first)), look_up(first_lower, lower(first)));
    __m256i of_both = _mm256_and_si256(of_first, look_up(second_upper, upper(load(start + 1))));
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(of_both, _mm256_setzero_si256()));
}

WIDE uint64_t disguises_of_block(const uint8_t *start) {
    return disguises(start) | (uint64_t)disguises(start + 32) << 32;
}

/// The last block is read from a copy before zeros.
__attribute__((target("avx2"))) static void mark_wide(const uint8_t *text, size_t count, uint64_t *marks) {
    size_t whole = (count - 1) / BYTES_PER_MARKS;
    for (size_t word = 0; word < whole; word++) marks[word] = disguises_of_block(text + word * BYTES_PER_MARKS);
    uint8_t last[BYTES_PER_MARKS + 1] = {0};
    memcpy(last, text + whole * BYTES_PER_MARKS, count - whole * BYTES_PER_MARKS);
    marks[whole] = disguises_of_block(last);
}

#endif

void bytes_mark_disguises(const void *text, size_t count, uint64_t *marks) {
    if (count == 0) return;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        mark_wide(text, count, marks);
        return;
    }
#endif
    mark_narrow(text, count, marks);
}
