#include "CBytes.h"

/// Those of sixteen bytes that a string must escape: quotes, backslashes, control characters.
static inline uint32_t escapable(bytes_unsigned_block block) {
    // With this bit turned the quote, and nothing else, comes right behind the control characters.
    return bytes_bits((bytes_block)(((block ^ 0x02) <= 0x20) | (block == '\\')));
}

/// Copies sixteen bytes; which of them are escapable.
static inline uint32_t copy_block(uint8_t *to, const uint8_t *from) {
    bytes_unsigned_block block = (bytes_unsigned_block)bytes_load(from);
    memcpy(to, &block, sizeof block);
    return escapable(block);
}

/// Copies `count` bytes, fewer than twice `part`, as their first and their last `part`, which is 4 or 8 and not more
/// than they are.
__attribute__((always_inline)) static inline size_t copy_ends(
    uint8_t *to, const uint8_t *from, size_t count, size_t part
) {
    uint8_t ends[16] = {0};
    memcpy(ends, from, part);
    memcpy(ends + part, from + count - part, part);
    memcpy(to, ends, part);
    memcpy(to + count - part, ends + part, part);
    uint32_t found = escapable((bytes_unsigned_block)bytes_load(ends)) & ((1u << 2 * part) - 1);
    if (found == 0) return count;
    size_t first = (size_t)__builtin_ctz(found);
    return first < part ? first : first + count - 2 * part;
}

static size_t copy_few(uint8_t *to, const uint8_t *from, size_t count) {
    if (count >= 8) return copy_ends(to, from, count, 8);
    if (count >= 4) return copy_ends(to, from, count, 4);
    for (size_t offset = 0; offset < count; offset++) {
        if (from[offset] < 0x20 || from[offset] == '"' || from[offset] == '\\') return offset;
        to[offset] = from[offset];
    }
    return count;
}

size_t bytes_copy_plain(void *room, const void *text, size_t count) {
    uint8_t *to = room;
    const uint8_t *from = text;
    if (count < 16) return copy_few(to, from, count);
    size_t offset = 0;
    for (; offset + 16 <= count; offset += 16) {
        uint32_t found = copy_block(to + offset, from + offset);
        if (found != 0) return offset + (size_t)__builtin_ctz(found);
    }
    // The last sixteen once more: what has been copied of them holds none.
    uint32_t found = copy_block(to + count - 16, from + count - 16);
    return found == 0 ? count : count - 16 + (size_t)__builtin_ctz(found);
}

/// Whether a control character is among 64 bytes.
static inline bool holds_control(const uint8_t *start) {
    bytes_unsigned_block least = (bytes_unsigned_block)bytes_load(start);
    for (size_t offset = 16; offset < 64; offset += 16)
        least = __builtin_elementwise_min(least, (bytes_unsigned_block)bytes_load(start + offset));
    return bytes_bits((bytes_block)(least < 0x20)) != 0;
}

bool bytes_hold_control(const void *text, size_t count) {
    const uint8_t *start = text;
    size_t offset = 0;
    for (; offset + 64 <= count; offset += 64)
        if (holds_control(start + offset)) return true;
    // The rest with some of what is known.
    if (count >= 64) return holds_control(start + count - 64);
    while (offset < count)
        if (start[offset++] < 0x20) return true;
    return false;
}
