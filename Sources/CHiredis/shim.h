// hiredis, which is used only to encode and decode the protocol of Redis and Valkey. It is linked statically because
// Debian's releases have different versions of the shared library.
#ifndef CHIREDIS_SHIM_H
#define CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>
#include <stdlib.h>

/// Encodes a command of `count` words, which follow one another in `bytes`. The caller must free `command` with
/// redisFreeCommand. Returns the length of the command, or -1.
static inline long long chiredis_format(char **command, int count, const char *bytes, const size_t *lengths) {
    const char **words = malloc((size_t)count * sizeof *words);
    if (words == NULL) return -1;
    for (int index = 0; index < count; index++) {
        words[index] = bytes;
        bytes += lengths[index];
    }
    long long length = redisFormatCommandArgv(command, count, words, lengths);
    free(words);
    return length;
}

/// Returns the element at an index, which must be below the list's count.
static inline const redisReply *chiredis_element(const redisReply *list, size_t index) {
    return list->element[index];
}

#endif
