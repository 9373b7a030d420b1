// 32 bytes at once, for processors that can; for the files of CBytes alone.
#ifndef WIDE_H
#define WIDE_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

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

#endif
#endif
