// SPDX-License-Identifier: Apache-2.0
// libavformat as Swift sees it: macros that the importer skips.
#ifndef TOUCHLINE_CLIBAVFORMAT_H
#define TOUCHLINE_CLIBAVFORMAT_H

#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Reads the first octets of a file.
/// - Returns: how many; below 0 if it cannot be read.
static inline int tlf_read_head(const char *path, uint8_t *octets, int most) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    int count = (int)read(file, octets, most);
    close(file);
    return count;
}

#endif
