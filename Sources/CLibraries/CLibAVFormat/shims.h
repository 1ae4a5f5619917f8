// SPDX-License-Identifier: Apache-2.0
// libavformat as Swift sees it: its functions, and macros that the importer skips.
#ifndef TOUCHLINE_CLIBAVFORMAT_H
#define TOUCHLINE_CLIBAVFORMAT_H

#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

// It is loaded when the first file is opened, and not with the program: with it come some twenty libraries that nothing
// else needs, and most boxes never open a file.
#define TLF_CALLS(call) \
    call(avformat_alloc_context) call(avformat_open_input) call(avformat_find_stream_info) \
    call(avformat_close_input) call(avformat_seek_file) call(av_read_frame) call(av_probe_input_format3)

/// Its functions; the manual of each is in the library's own header.
struct tlf_calls {
#define TLF_FIELD(name) __typeof__(&name) name;
    TLF_CALLS(TLF_FIELD)
#undef TLF_FIELD
};

/// - Returns: NULL, or why the library or one of its functions cannot be had.
static inline const char *tlf_load(struct tlf_calls *calls) {
    void *library = dlopen("libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define TLF_LOAD(name) \
    if ((calls->name = (__typeof__(&name))dlsym(library, #name)) == NULL) return dlerror();
    TLF_CALLS(TLF_LOAD)
#undef TLF_LOAD
    return NULL;
}

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
