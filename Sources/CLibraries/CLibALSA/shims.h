// SPDX-License-Identifier: Apache-2.0
// libasound as Swift sees it.
#ifndef TOUCHLINE_CLIBALSA_H
#define TOUCHLINE_CLIBALSA_H

#include <alsa/asoundlib.h>

/// Drops every message of the library; Swift cannot make a variadic callback. Errors are returned as codes anyway.
static inline void tl_alsa_be_quiet(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}
static inline void tl_alsa_silence(void) { snd_lib_error_set_handler(tl_alsa_be_quiet); }

#endif
