// Wrappers of libcurl. ccurl_load loads the library, because linking it would delay the start of every program.
// Swift cannot call variadic functions, so there is a wrapper for each type of option.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdint.h>

/// Loads and initialises libcurl. Call it before any other function of this file. Returns NULL, or an error message.
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

// Options of an easy handle.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);

/// Sets an option to a copy of the string. NULL restores the default of the option.
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);

/// Sets an option to the pointer, which must stay valid until the transfer ends.
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);

/// Sets an option to the list, which must stay valid until the transfer ends.
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

/// Sets a copy of the bytes as the body of a request. The length is set first, because COPYPOSTFIELDS requires it.
CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t length);

CURLcode ccurl_on_header(CURL *easy, curl_write_callback callback, void *context);

CURLcode ccurl_on_body(CURL *easy, curl_write_callback callback, void *context);

CURLcode ccurl_on_open_socket(CURL *easy, curl_opensocket_callback callback, void *context);

CURLcode ccurl_on_ready_to_send(CURL *easy, curl_prereq_callback callback, void *context);

// Information about a finished transfer.

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, int64_t *value);

/// Reads a string that belongs to the handle, or NULL. The string is valid until the handle's next transfer.
CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value);

// Options of a multi handle.

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context);

CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context);

/// Returns the next finished transfer and its result, or NULL.
CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result);

/// Writes the address and the port of libcurl's connection. Returns the length of the address (4 or 16), or 0 if it is
/// neither IPv4 nor IPv6. A copy of struct curl_sockaddr in Swift would be too short for an IPv6 address.
int ccurl_peer(const struct curl_sockaddr *peer, uint8_t bytes[16], uint16_t *port);

/// Opens a close-on-exec socket for an address.
curl_socket_t ccurl_open_socket(const struct curl_sockaddr *peer);

/// Whether the process or the machine has no free descriptor.
int ccurl_lacks_descriptors(void);

#endif
