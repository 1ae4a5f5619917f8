// SPDX-License-Identifier: Apache-2.0
// libass as Swift sees it.
#ifndef TOUCHLINE_CLIBASS_H
#define TOUCHLINE_CLIBASS_H

#include <ass/ass.h>
#include <ass/ass_types.h>

/// Drops every message of the library; Swift cannot make a callback with a `va_list`.
static inline void tl_ass_be_quiet(int level, const char *format, va_list arguments, void *context) {
    (void)level, (void)format, (void)arguments, (void)context;
}
static inline void tl_ass_silence(ASS_Library *library) { ass_set_message_cb(library, tl_ass_be_quiet, NULL); }

#endif
