// SPDX-License-Identifier: Apache-2.0
// libcurl as Swift sees it: its variadic functions, and macros that the importer skips.
#ifndef TOUCHLINE_CLIBCURL_H
#define TOUCHLINE_CLIBCURL_H

#include <curl/curl.h>
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
