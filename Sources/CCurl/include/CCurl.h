// Wrappers of libcurl for Swift, which cannot call functions with variable arguments.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdint.h>

/// Loads libcurl. Call this function first. Returns NULL, or an error message.
const char *ccurl_load(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);
struct curl_header *ccurl_easy_nextheader(CURL *easy, unsigned int origin, int request, struct curl_header *last);
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line);
void ccurl_slist_free_all(struct curl_slist *list);
CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);

/// The pointer must be valid until the transfer ends.
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);

/// The list must be valid until the transfer ends.
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

/// Copies the bytes. The length is set first, because CURLOPT_COPYPOSTFIELDS requires it.
CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t length);

CURLcode ccurl_on_header(CURL *easy, curl_write_callback callback, void *context);

CURLcode ccurl_on_body(CURL *easy, curl_write_callback callback, void *context);

CURLcode ccurl_on_open_socket(CURL *easy, curl_opensocket_callback callback, void *context);

CURLcode ccurl_on_ready_to_send(CURL *easy, curl_prereq_callback callback, void *context);

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, int64_t *value);

/// The string is valid until the handle's next transfer. It can be NULL.
CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context);

CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context);

CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result);

/// Returns the length of the address (4 or 16), or 0 for another kind of address. Swift must not copy struct
/// curl_sockaddr, because an IPv6 address does not fit in the copy.
int ccurl_peer(const struct curl_sockaddr *peer, uint8_t bytes[16], uint16_t *port);

curl_socket_t ccurl_open_socket(const struct curl_sockaddr *peer);

int ccurl_lacks_descriptors(void);

#endif
