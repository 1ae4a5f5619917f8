// SPDX-License-Identifier: Apache-2.0
// libwebsockets as Swift sees it: macros that the importer skips.
#ifndef TOUCHLINE_CLIBWEBSOCKETS_H
#define TOUCHLINE_CLIBWEBSOCKETS_H

#include <libwebsockets.h>

/// Octets in front of the data written that the library may overwrite.
static const size_t tl_lws_headroom = LWS_PRE;
/// The library does not listen itself: accepted sockets are given to it.
static const int tl_lws_no_listening = CONTEXT_PORT_NO_LISTEN_SERVER;

/// Data that is not a request known to the library is delivered as raw octets, instead of being answered with the
/// library's own page.
static const uint64_t tl_lws_raw_for_rubbish = LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG;

/// Keeps the library from changing the user and group of the process.
static inline void tl_lws_keep_identity(struct lws_context_creation_info *info) { info->uid = -1, info->gid = -1; }

/// Keeps the library from connecting through the proxy that the environment names: our peers are in the venue.
static inline void tl_lws_use_no_proxy(struct lws_context_creation_info *info) { info->http_proxy_address = ""; }

/// Makes `lws_service` return after so many microseconds. The list element must stay where it is; a second call replaces
/// the first.
static inline void tl_lws_woken(lws_sorted_usec_list_t *element) { (void)element; }
static inline void tl_lws_wake_in(struct lws_context *context, lws_sorted_usec_list_t *element, int64_t microseconds) {
    lws_sul_schedule(context, 0, element, tl_lws_woken, microseconds);
}

/// Version 4.3 counts the users of a log context without a lock, so each context gets a log of its own, which is
/// silent.
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
typedef lws_log_cx_t tl_lws_log;
static inline void tl_lws_set_log(struct lws_context_creation_info *info, tl_lws_log *log) { info->log_cx = log; }
#else
typedef struct { int unused; } tl_lws_log;
static inline void tl_lws_set_log(struct lws_context_creation_info *info, tl_lws_log *log) { (void)info, (void)log; }
#endif

#endif
