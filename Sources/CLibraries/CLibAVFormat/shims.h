// SPDX-License-Identifier: Apache-2.0
// libavformat as Swift sees it: macros that the importer skips.
#ifndef TOUCHLINE_CLIBAVFORMAT_H
#define TOUCHLINE_CLIBAVFORMAT_H

#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <sys/stat.h>

static const int tlf_try_again = AVERROR(EAGAIN);
static const int tlf_end_of_file = AVERROR_EOF;
static const int tlf_interrupted = AVERROR_EXIT;
static const int64_t tlf_no_timestamp = AV_NOPTS_VALUE;

/// Whether the path may be opened: 0 for pipes and devices, which could block for ever. Nonzero also when nothing is
/// there, because opening it then tells why.
static inline int tlf_may_be_opened(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

#endif
