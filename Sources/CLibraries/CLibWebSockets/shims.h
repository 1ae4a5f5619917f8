// SPDX-License-Identifier: Apache-2.0
// libwebsockets as Swift sees it: macros that the importer skips.
#ifndef TOUCHLINE_CLIBWEBSOCKETS_H
#define TOUCHLINE_CLIBWEBSOCKETS_H

#include <libwebsockets.h>

/// Octets in front of what is written that the library may use.
static const size_t tl_lws_headroom = LWS_PRE;
/// No listening of the library's own: sockets are given to it.
static const int tl_lws_no_listening = CONTEXT_PORT_NO_LISTEN_SERVER;

/// What is no request that the library knows comes as raw octets, rather than being answered with a page of its own.
static const uint64_t tl_lws_raw_for_rubbish = LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG;

/// The library is not to change who the process is.
static inline void tl_lws_keep_identity(struct lws_context_creation_info *info) { info->uid = -1, info->gid = -1; }

/// 4.3 counts the users of a log without a lock: each context has its own, which says nothing.
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
typedef lws_log_cx_t tl_lws_log;
static inline void tl_lws_set_log(struct lws_context_creation_info *info, tl_lws_log *log) { info->log_cx = log; }
#else
typedef struct { int unused; } tl_lws_log;
static inline void tl_lws_set_log(struct lws_context_creation_info *info, tl_lws_log *log) { (void)info, (void)log; }
#endif

#endif
