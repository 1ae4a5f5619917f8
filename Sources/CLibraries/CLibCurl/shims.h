// SPDX-License-Identifier: Apache-2.0
// libcurl as Swift sees it: its variadic functions, and macros that the importer skips.
#ifndef TOUCHLINE_CLIBCURL_H
#define TOUCHLINE_CLIBCURL_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

static inline CURLcode tl_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode tl_curl_set(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode tl_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// What libcurl calls with octets of a header or a body: how many it took.
typedef size_t (*tl_curl_taker)(char *octets, size_t one, size_t count, void *context);
static inline CURLcode tl_curl_set_takers(CURL *easy, tl_curl_taker header, tl_curl_taker body, void *context) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    return curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

/// Keeps the connection on the networks of the interfaces: the kernel sends nothing of it to a gateway.
static inline int tl_curl_keep_on_link(void *context, curl_socket_t socket, curlsocktype purpose) {
    int on = 1;
    (void)context, (void)purpose;
    return setsockopt(socket, SOL_SOCKET, SO_DONTROUTE, &on, sizeof on) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}
static inline CURLcode tl_curl_stay_on_link(CURL *easy) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, tl_curl_keep_on_link);
}

/// Octets that libcurl copies.
static inline CURLcode tl_curl_set_body(CURL *easy, const void *octets, long count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, octets) : code;
}
/// The list has to live as long as the handle.
static inline CURLcode tl_curl_set_header(CURL *easy, struct curl_slist *lines) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
}
/// Certificates in PEM, which libcurl copies, instead of the system's.
static inline CURLcode tl_curl_set_authorities(CURL *easy, const char *pem, size_t count) {
    struct curl_blob blob = {(void *)pem, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

/// Opens no connection to this machine or to a neighbour without an address of a network.
static inline curl_socket_t tl_curl_open_elsewhere(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context, (void)purpose;
    int isNear = 1;  // what is neither IPv4 nor IPv6
    if (address->family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->addr;
        unsigned long host = ntohl(v4->sin_addr.s_addr);
        isNear = host >> 24 == 127 || host >> 24 == 0 || host >> 16 == 0xa9fe;
    } else if (address->family == AF_INET6) {
        const struct in6_addr *v6 = &((const struct sockaddr_in6 *)&address->addr)->sin6_addr;
        isNear = IN6_IS_ADDR_LOOPBACK(v6) || IN6_IS_ADDR_UNSPECIFIED(v6) || IN6_IS_ADDR_LINKLOCAL(v6);
        if (IN6_IS_ADDR_V4MAPPED(v6)) {
            isNear = v6->s6_addr[12] == 127 || v6->s6_addr[12] == 0
                || (v6->s6_addr[12] == 169 && v6->s6_addr[13] == 254);
        }
    }
    return isNear ? CURL_SOCKET_BAD : socket(address->family, address->socktype, address->protocol);
}
static inline CURLcode tl_curl_stay_elsewhere(CURL *easy) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, tl_curl_open_elsewhere);
}

/// 0 if no answer came.
static inline long tl_curl_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

/// The next transfer that has ended, and how; NULL if there is none.
static inline CURL *tl_curl_ended(CURLM *multi, CURLcode *result) {
    int rest = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &rest));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
