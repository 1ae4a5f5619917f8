// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CV4L2Shims.h"
#include "call.h"
#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>

static int refuse(void) {
    errno = EINVAL;
    return -1;
}

int touchline_v4l2_query(int fd, uint32_t *kind, struct touchline_v4l2_names *names) {
    struct v4l2_capability found = {0};
    if (call(fd, VIDIOC_QUERYCAP, &found) < 0) return -1;
    uint32_t own = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
    *kind = own & V4L2_CAP_STREAMING ? own & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE) : 0;
    if (!names) return 0;
    memcpy(names->driver, found.driver, 16);
    memcpy(names->card, found.card, 32);
    memcpy(names->bus, found.bus_info, 32);
    names->driver[16] = names->card[32] = names->bus[32] = 0;
    return 0;
}

int touchline_v4l2_frame_size(int fd, uint32_t fourcc, uint32_t index, uint32_t sizes[4]) {
    struct v4l2_frmsizeenum found = {.index = index, .pixel_format = fourcc};
    if (call(fd, VIDIOC_ENUM_FRAMESIZES, &found) < 0) return -1;
    switch (found.type) {
    case V4L2_FRMSIZE_TYPE_DISCRETE:
        sizes[0] = sizes[2] = found.discrete.width;
        sizes[1] = sizes[3] = found.discrete.height;
        return 0;
    case V4L2_FRMSIZE_TYPE_CONTINUOUS:
    case V4L2_FRMSIZE_TYPE_STEPWISE:
        sizes[0] = found.stepwise.min_width;
        sizes[1] = found.stepwise.min_height;
        sizes[2] = found.stepwise.max_width;
        sizes[3] = found.stepwise.max_height;
        return 0;
    default: return refuse();
    }
}

int touchline_v4l2_menu(int fd, uint32_t control, int32_t *first, int32_t *last) {
    struct v4l2_queryctrl found = {.id = control};
    if (call(fd, VIDIOC_QUERYCTRL, &found) < 0) return -1;
    if (found.type != V4L2_CTRL_TYPE_MENU || found.flags & V4L2_CTRL_FLAG_DISABLED) return refuse();
    *first = found.minimum;
    *last = found.maximum;
    return 0;
}

int touchline_v4l2_menu_item(int fd, uint32_t control, uint32_t index, char name[33]) {
    struct v4l2_querymenu found = {.id = control, .index = index};
    if (call(fd, VIDIOC_QUERYMENU, &found) < 0) return -1;
    memcpy(name, found.name, 32);
    name[32] = 0;
    return 0;
}
