#include "CBytes.h"
#include "wide.h"

#include <string.h>

#if defined(__x86_64__)

/// What can be wrong with two bytes that stand side by side, each a bit.
enum {
    /// The first begins a character, the second does not go on with it.
    CUT_SHORT = 1 << 0,
    /// The first is ASCII, and the second goes on with a character.
    NOT_BEGUN = 1 << 1,
    /// C0 and C1: one byte would do.
    LONG_OF_TWO = 1 << 2,
    /// E0, and below A0: two bytes would do.
    LONG_OF_THREE = 1 << 3,
    /// ED, and above 9F.
    SURROGATE = 1 << 4,
    /// F0, and below 90: three bytes would do. Above F4 the same, and there the next one says the rest.
    LONG_OF_FOUR = 1 << 5,
    /// F4 or above, and above 8F.
    TOO_LARGE = 1 << 6,
    /// Both go on with a character: right where it has three bytes or four, and wrong elsewhere.
    GOES_ON = 1 << 7,

    WITH_ANY = CUT_SHORT | NOT_BEGUN | GOES_ON,
    ABOVE_F4 = LONG_OF_FOUR | TOO_LARGE,
};

/// What each nibble allows for: both of the first byte, and the upper one of the second. What all three name is so.
static const uint8_t first_upper[16] = {
    [0x0 ... 0x7] = NOT_BEGUN,
    [0x8 ... 0xB] = GOES_ON,
    [0xC] = CUT_SHORT | LONG_OF_TWO,
    [0xD] = CUT_SHORT,
    [0xE] = CUT_SHORT | LONG_OF_THREE | SURROGATE,
    [0xF] = CUT_SHORT | LONG_OF_FOUR | TOO_LARGE,
};
static const uint8_t first_lower[16] = {
    [0x0] = WITH_ANY | LONG_OF_TWO | LONG_OF_THREE | LONG_OF_FOUR,
    [0x1] = WITH_ANY | LONG_OF_TWO,
    [0x2 ... 0x3] = WITH_ANY,
    [0x4] = WITH_ANY | TOO_LARGE,
    [0x5 ... 0xC] = WITH_ANY | ABOVE_F4,
    [0xD] = WITH_ANY | ABOVE_F4 | SURROGATE,
    [0xE ... 0xF] = WITH_ANY | ABOVE_F4,
};
static const uint8_t second_upper[16] = {
    [0x0 ... 0x7] = CUT_SHORT,
    [0x8] = NOT_BEGUN | GOES_ON | LONG_OF_TWO | LONG_OF_THREE | LONG_OF_FOUR,
    [0x9] = NOT_BEGUN | GOES_ON | LONG_OF_TWO | LONG_OF_THREE | TOO_LARGE,
    [0xA ... 0xB] = NOT_BEGUN | GOES_ON | LONG_OF_TWO | SURROGATE | TOO_LARGE,
    [0xC ... 0xF] = CUT_SHORT,
};

/// Bytes that are not zero where 32 bytes are no UTF-8; the three bytes before them are read too.
WIDE __m256i wrong_places(const uint8_t *start) {
    __m256i first = load(start - 1);
    __m256i of_first = _mm256_and_si256(look_up(first_upper, upper(first)), look_up(first_lower, lower(first)));
    __m256i of_both = _mm256_and_si256(of_first, look_up(second_upper, upper(load(start))));
    // The upper bit stays where two bytes before, or three, begins a character of three bytes, or four.
    __m256i third = _mm256_subs_epu8(load(start - 2), bytes_of(0xE0 - GOES_ON));
    __m256i fourth = _mm256_subs_epu8(load(start - 3), bytes_of(0xF0 - GOES_ON));
    __m256i must_go_on = _mm256_and_si256(_mm256_or_si256(third, fourth), bytes_of(GOES_ON));
    return _mm256_xor_si256(of_both, must_go_on);
}

/// The bits of quotes, backslashes and control characters.
WIDE uint32_t ends_of_runs(__m256i block) {
    // With this bit turned the quote, and nothing else, comes right behind the control characters.
    __m256i turned = _mm256_xor_si256(block, bytes_of(0x02));
    __m256i ends = _mm256_cmpeq_epi8(_mm256_min_epu8(turned, bytes_of(0x20)), turned);
    ends = _mm256_or_si256(ends, _mm256_cmpeq_epi8(block, bytes_of('\\')));
    return (uint32_t)_mm256_movemask_epi8(ends);
}

/// The marks of 64 bytes; adds what is wrong with them to what is wrong already. The three bytes before are read too.
WIDE uint64_t marks_of_block(const uint8_t *start, __m256i *wrong) {
    __m256i first = load(start), second = load(start + 32);
    __m256i all = _mm256_or_si256(load(start - 3), _mm256_or_si256(first, second));
    // ASCII behind ASCII is right.
    if (_mm256_movemask_epi8(all) != 0) {
        __m256i both = _mm256_or_si256(wrong_places(start), wrong_places(start + 32));
        *wrong = _mm256_or_si256(*wrong, both);
    }
    return ends_of_runs(first) | (uint64_t)ends_of_runs(second) << 32;
}

/// The first block and the last are read from a copy between zeros, which go on with no character.
__attribute__((target("avx2"))) static bool mark_wide(const uint8_t *text, size_t count, uint64_t *marks) {
    uint8_t copy[2 * BYTES_PER_MARKS] = {0};
    uint8_t *block = copy + BYTES_PER_MARKS;
    __m256i wrong = _mm256_setzero_si256();
    size_t whole = count / BYTES_PER_MARKS;
    if (whole > 0) {
        memcpy(block, text, BYTES_PER_MARKS);
        marks[0] = marks_of_block(block, &wrong);
        for (size_t word = 1; word < whole; word++)
            marks[word] = marks_of_block(text + word * BYTES_PER_MARKS, &wrong);
        memcpy(copy, text + (whole - 1) * BYTES_PER_MARKS, BYTES_PER_MARKS);
        memset(block, 0, BYTES_PER_MARKS);
    }
    memcpy(block, text + whole * BYTES_PER_MARKS, count % BYTES_PER_MARKS);
    marks[whole] = marks_of_block(block, &wrong);
    return _mm256_testz_si256(wrong, wrong);
}

bool bytes_mark_json(const void *text, size_t count, uint64_t *marks) {
    return __builtin_cpu_supports("avx2") && mark_wide(text, count, marks);
}

#else

bool bytes_mark_json(const void *text, size_t count, uint64_t *marks) { return false; }

#endif
