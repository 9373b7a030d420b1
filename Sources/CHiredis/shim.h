// hiredis, which encodes and decodes the protocol of Redis and Valkey.
#ifndef CHIREDIS_SHIM_H
#define CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>
#include <stdlib.h>

/// `bytes` contains the words one after another. Free `command` with redisFreeCommand. Returns the length, or -1.
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

/// The index must be less than the number of elements.
static inline const redisReply *chiredis_element(const redisReply *list, size_t index) {
    return list->element[index];
}

#endif
