// SPDX-License-Identifier: Apache-2.0
// libavcodec as Swift sees it: macros that the importer skips, and fields that moved between FFmpeg 5.1 and 7.1.
#ifndef TOUCHLINE_CLIBAVCODEC_H
#define TOUCHLINE_CLIBAVCODEC_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>

static const int tl_try_again = AVERROR(EAGAIN);
static const int tl_end_of_stream = AVERROR_EOF;
static const int tl_invalid_data = AVERROR_INVALIDDATA;
static const int tl_out_of_memory = AVERROR(ENOMEM);
static const int64_t tl_no_timestamp = AV_NOPTS_VALUE;

static const int tl_invalid_argument = AVERROR(EINVAL);
static const int tl_patches_welcome = AVERROR_PATCHWELCOME;

static inline int tl_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

static inline int tl_is_top_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}

static inline void tl_mark_key(AVFrame *frame) {
    frame->pict_type = AV_PICTURE_TYPE_I;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags |= AV_FRAME_FLAG_KEY;
#else
    frame->key_frame = 1;
#endif
}

#endif
