#include "CCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS(X) \
    X(global_init) X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo) X(easy_nextheader) \
    X(easy_strerror) X(slist_append) X(slist_free_all) X(multi_init) X(multi_cleanup) X(multi_setopt) \
    X(multi_add_handle) X(multi_remove_handle) X(multi_socket_action) X(multi_info_read)

#define POINTER(name) __typeof__(curl_##name) *name;
static struct { FUNCTIONS(POINTER) } curl;

const char *ccurl_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (library == NULL) return dlerror();
#define FIND(name) \
    curl.name = (__typeof__(curl_##name) *)dlsym(library, "curl_" #name); \
    if (curl.name == NULL) return dlerror();
    FUNCTIONS(FIND)
    return curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "curl_global_init failed";
}

CURL *ccurl_easy_init(void) { return curl.easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
struct curl_header *ccurl_easy_nextheader(CURL *easy, unsigned int origin, int request, struct curl_header *last) {
    return curl.easy_nextheader(easy, origin, request, last);
}
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line) {
    return curl.slist_append(list, line);
}
void ccurl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }
CURLM *ccurl_multi_init(void) { return curl.multi_init(); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
    return curl.multi_socket_action(multi, socket, events, running);
}

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t length) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    if (code != CURLE_OK) return code;
    return curl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, length == 0 ? "" : (const char *)bytes);
}

CURLcode ccurl_on_header(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

CURLcode ccurl_on_body(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

CURLcode ccurl_on_open_socket(CURL *easy, curl_opensocket_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode ccurl_on_ready_to_send(CURL *easy, curl_prereq_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl.easy_getinfo(easy, info, value);
}

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, int64_t *value) {
    curl_off_t offset = 0;
    CURLcode code = curl.easy_getinfo(easy, info, &offset);
    *value = (int64_t)offset;
    return code;
}

CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl.easy_getinfo(easy, info, value);
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl.multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context) {
    CURLMcode code = curl.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code != CURLM_OK ? code : curl.multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
    CURLMcode code = curl.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code != CURLM_OK ? code : curl.multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

int ccurl_peer(const struct curl_sockaddr *peer, uint8_t bytes[16], uint16_t *port) {
    if (peer->family == AF_INET && peer->addrlen >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in four;
        memcpy(&four, &peer->addr, sizeof four);
        memcpy(bytes, &four.sin_addr, 4);
        *port = ntohs(four.sin_port);
        return 4;
    }
    if (peer->family == AF_INET6 && peer->addrlen >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 six;
        memcpy(&six, (const void *)&peer->addr, sizeof six);
        memcpy(bytes, &six.sin6_addr, 16);
        *port = ntohs(six.sin6_port);
        return 16;
    }
    return 0;
}

curl_socket_t ccurl_open_socket(const struct curl_sockaddr *peer) {
    return socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
}

int ccurl_lacks_descriptors(void) {
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return errno == EMFILE || errno == ENFILE;
    close(probe);
    return 0;
}
