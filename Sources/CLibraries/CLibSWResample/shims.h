// SPDX-License-Identifier: Apache-2.0
// libswresample as Swift sees it. Swift cannot use the unions of channel layouts; the arrays of planes are on the stack
// here.
#ifndef TOUCHLINE_CLIBSWRESAMPLE_H
#define TOUCHLINE_CLIBSWRESAMPLE_H

#include <libavutil/channel_layout.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>

/// Opens a resampler from interleaved float to interleaved stereo float. `weights` holds one weight per channel for the
/// left output, then one per channel for the right. The filter has 1 024 interpolated phases from the start, so a later
/// rate correction rebuilds nothing. Returns a code below 0 on failure.
static inline int tl_swr_open(
    struct SwrContext **opened, int rate, uint64_t mask, int channels, int target_rate, const double *weights) {
    AVChannelLayout source = {0}, stereo = AV_CHANNEL_LAYOUT_STEREO;
    int code = av_channel_layout_from_mask(&source, mask);
    if (code < 0) return code;
    *opened = NULL;
    code = swr_alloc_set_opts2(
        opened, &stereo, AV_SAMPLE_FMT_FLT, target_rate, &source, AV_SAMPLE_FMT_FLT, rate, 0, NULL);
    if (code >= 0) code = av_opt_set_int(*opened, "flags", SWR_FLAG_RESAMPLE, 0);
    // 2,048 filters for the places between two samples, and the nearest is taken: what that adds to a tone of 1 kHz is 94 dB
    // below it. To interpolate between two of the usual 1,024 takes twice the time, and that is most of what the sound takes.
    if (code >= 0) code = av_opt_set_int(*opened, "phase_shift", 11, 0);
    if (code >= 0) code = av_opt_set_int(*opened, "linear_interp", 0, 0);
    if (code >= 0) code = av_opt_set_int(*opened, "exact_rational", 0, 0);
    if (code >= 0) code = swr_set_matrix(*opened, weights, channels);
    if (code >= 0) code = swr_init(*opened);
    if (code < 0) swr_free(opened);
    return code;
}

static inline int tl_swr_convert(struct SwrContext *context, float *out, int room, const float *in, int count) {
    uint8_t *target[1] = {(uint8_t *)out};
    const uint8_t *source[1] = {(const uint8_t *)in};
    return swr_convert(context, target, room, source, count);
}

#endif
