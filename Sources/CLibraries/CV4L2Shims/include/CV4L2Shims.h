// SPDX-License-Identifier: Apache-2.0
// The V4L2 ioctls whose structures Swift cannot import: unions by buffer type, packed planes. Each function makes one
// call and returns 0 or a descriptor, or -1 with errno. `is_coded` selects the OUTPUT queue (coded data), else CAPTURE
// (pictures); `is_multi` the device's multi-planar interface.
#pragma once
#include <stdint.h>

enum { touchline_v4l2_planes = 4 };

struct touchline_v4l2_format {
    uint32_t fourcc, width, height, planes;
    uint32_t strides[4], octets[4];
    uint32_t colour_space, matrix, range, transfer;
};

struct touchline_v4l2_buffer {
    uint32_t index, flags, planes, octets;
    uint32_t offsets[4], lengths[4];
    uint64_t serial;
};

int touchline_v4l2_open(const char *path);
struct touchline_v4l2_names {
    char driver[17], card[33], bus[33];
};

/// `kind` becomes V4L2_CAP_VIDEO_M2M or V4L2_CAP_VIDEO_M2M_MPLANE, or 0 for any other device. Also fills `names` unless
/// it is NULL.
int touchline_v4l2_query(int fd, uint32_t *kind, struct touchline_v4l2_names *names);
int touchline_v4l2_enumerate(int fd, int is_coded, int is_multi, uint32_t index, uint32_t *fourcc, uint32_t *flags);
int touchline_v4l2_get_format(int fd, int is_coded, int is_multi, struct touchline_v4l2_format *format);
int touchline_v4l2_set_format(int fd, int is_coded, int is_multi, struct touchline_v4l2_format *format);
/// Left, top, width and height of the compose rectangle.
int touchline_v4l2_visible(int fd, int32_t area[4]);
int touchline_v4l2_pixel_aspect(int fd, int is_multi, uint32_t *width, uint32_t *height);
int touchline_v4l2_minimum(int fd, int32_t *count);
int touchline_v4l2_request(int fd, int is_coded, int is_multi, uint32_t *count, uint32_t *capabilities);
int touchline_v4l2_query_buffer(int fd, int is_coded, int is_multi, uint32_t index, struct touchline_v4l2_buffer *buffer);
int touchline_v4l2_export(int fd, int is_multi, uint32_t index, uint32_t plane);
int touchline_v4l2_queue(int fd, int is_coded, int is_multi, uint32_t index, uint32_t planes, uint32_t octets, uint64_t serial);
int touchline_v4l2_dequeue(int fd, int is_coded, int is_multi, struct touchline_v4l2_buffer *buffer);
int touchline_v4l2_stream(int fd, int is_coded, int is_multi, int is_on);
int touchline_v4l2_stop(int fd);
/// Subscribes to source changes and, if the driver has such an event, to the end of the stream.
int touchline_v4l2_subscribe(int fd);
/// Dequeues an event: `kind` is its V4L2_EVENT_ type, `changes` the V4L2_EVENT_SRC_CH_ flags of a source change, else
/// 0.
int touchline_v4l2_event(int fd, uint32_t *kind, uint32_t *changes);
/// Call with 0 before the processor reads a dma-buf and with 1 after it (DMA_BUF_IOCTL_SYNC).
int touchline_dma_buf_sync(int fd, int is_end);

// Queries of the device's capabilities; they work whether it is streaming or not.

/// Smallest width and height, largest width and height.
int touchline_v4l2_frame_size(int fd, uint32_t fourcc, uint32_t index, uint32_t sizes[4]);
/// First and last item of a control that is a menu.
int touchline_v4l2_menu(int fd, uint32_t control, int32_t *first, int32_t *last);
int touchline_v4l2_menu_item(int fd, uint32_t control, uint32_t index, char name[33]);
