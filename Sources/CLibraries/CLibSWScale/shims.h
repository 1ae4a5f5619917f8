// SPDX-License-Identifier: Apache-2.0
#ifndef TOUCHLINE_CLIBSWSCALE_H
#define TOUCHLINE_CLIBSWSCALE_H

#include <libavutil/log.h>
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
#include <stdint.h>

typedef struct {
    const uint8_t *plane[4];
    int stride[4];
} TLPlanes;

/// Scales one picture. The arrays of planes are on the stack here; Swift would allocate them for each picture.
static inline int tl_scale(struct SwsContext *context, TLPlanes from, int rows, TLPlanes to) {
    uint8_t *target[4];
    for (int index = 0; index < 4; index++) target[index] = (uint8_t *)(uintptr_t)to.plane[index];
    return sws_scale(context, from.plane, from.stride, 0, rows, target, to.stride);
}

#endif
