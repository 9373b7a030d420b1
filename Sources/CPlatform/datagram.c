#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Returns a sealed memfd with a copy of the bytes, or -1 with errno.
static int sealed_memory(const void *bytes, size_t count) {
    int memory = memfd_create("searchd-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    size_t written = 0;
    while (written < count) {
        ssize_t step = write(memory, (const char *)bytes + written, count - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) goto failed;
        written += (size_t)step;
    }
    // The reader accepts only memory that can no longer change.
    if (fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) goto failed;
    return memory;
failed:;
    int number = errno;
    close(memory);
    errno = number;
    return -1;
}

/// Sends a message that contains only a descriptor.
static int send_descriptor(int descriptor, struct msghdr *message, int sent) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    message->msg_control = &control;
    message->msg_controllen = sizeof control;
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof sent);
    memcpy(CMSG_DATA(header), &sent, sizeof sent);
    return sendmsg(descriptor, message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -1 : 0;
}

int platform_send_datagram(int descriptor, const void *address, uint32_t length, const void *bytes, size_t count) {
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = (void *)address, .msg_namelen = length, .msg_iov = &piece, .msg_iovlen = 1};
    if (sendmsg(descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return 0;
    if (errno != EMSGSIZE && errno != ENOBUFS) return -1;
    int memory = sealed_memory(bytes, count);
    if (memory < 0) return -1;
    message.msg_iov = NULL;
    message.msg_iovlen = 0;
    int result = send_descriptor(descriptor, &message, memory);
    int number = errno;
    close(memory);
    errno = number;
    return result;
}
