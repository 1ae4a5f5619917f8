// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CV4L2Shims.h"
#include "call.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/videodev2.h>
#include <string.h>

static uint32_t type(int is_coded, int is_multi) {
    if (is_coded) return is_multi ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE : V4L2_BUF_TYPE_VIDEO_OUTPUT;
    return is_multi ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

int touchline_v4l2_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

int touchline_v4l2_enumerate(int fd, int is_coded, int is_multi, uint32_t index, uint32_t *fourcc, uint32_t *flags) {
    struct v4l2_fmtdesc found = {.type = type(is_coded, is_multi), .index = index};
    if (call(fd, VIDIOC_ENUM_FMT, &found) < 0) return -1;
    *fourcc = found.pixelformat;
    *flags = found.flags;
    return 0;
}

static void read_format(const struct v4l2_format *from, int is_multi, struct touchline_v4l2_format *to) {
    memset(to, 0, sizeof *to);
    if (!is_multi) {
        const struct v4l2_pix_format *pix = &from->fmt.pix;
        *to = (struct touchline_v4l2_format){
            .fourcc = pix->pixelformat, .width = pix->width, .height = pix->height, .planes = 1,
            .strides = {pix->bytesperline}, .octets = {pix->sizeimage}, .colour_space = pix->colorspace,
            .matrix = pix->ycbcr_enc, .range = pix->quantization, .transfer = pix->xfer_func,
        };
        return;
    }
    const struct v4l2_pix_format_mplane *pix = &from->fmt.pix_mp;
    *to = (struct touchline_v4l2_format){
        .fourcc = pix->pixelformat, .width = pix->width, .height = pix->height, .planes = pix->num_planes,
        .colour_space = pix->colorspace, .matrix = pix->ycbcr_enc, .range = pix->quantization,
        .transfer = pix->xfer_func,
    };
    for (uint32_t plane = 0; plane < touchline_v4l2_planes; plane++) {
        to->strides[plane] = pix->plane_fmt[plane].bytesperline;
        to->octets[plane] = pix->plane_fmt[plane].sizeimage;
    }
}

int touchline_v4l2_get_format(int fd, int is_coded, int is_multi, struct touchline_v4l2_format *format) {
    struct v4l2_format found = {.type = type(is_coded, is_multi)};
    if (call(fd, VIDIOC_G_FMT, &found) < 0) return -1;
    read_format(&found, is_multi, format);
    return 0;
}

int touchline_v4l2_set_format(int fd, int is_coded, int is_multi, struct touchline_v4l2_format *format) {
    struct v4l2_format wish = {.type = type(is_coded, is_multi)};
    if (is_multi) {
        wish.fmt.pix_mp.pixelformat = format->fourcc;
        wish.fmt.pix_mp.width = format->width;
        wish.fmt.pix_mp.height = format->height;
        wish.fmt.pix_mp.colorspace = format->colour_space;
        wish.fmt.pix_mp.ycbcr_enc = (uint8_t)format->matrix;
        wish.fmt.pix_mp.quantization = (uint8_t)format->range;
        wish.fmt.pix_mp.xfer_func = (uint8_t)format->transfer;
        wish.fmt.pix_mp.num_planes = (uint8_t)format->planes;
        for (uint32_t plane = 0; plane < touchline_v4l2_planes; plane++) {
            wish.fmt.pix_mp.plane_fmt[plane].bytesperline = format->strides[plane];
            wish.fmt.pix_mp.plane_fmt[plane].sizeimage = format->octets[plane];
        }
    } else {
        wish.fmt.pix = (struct v4l2_pix_format){
            .pixelformat = format->fourcc, .width = format->width, .height = format->height,
            .bytesperline = format->strides[0], .sizeimage = format->octets[0], .colorspace = format->colour_space,
            .ycbcr_enc = format->matrix, .quantization = format->range, .xfer_func = format->transfer,
            .priv = V4L2_PIX_FMT_PRIV_MAGIC,
        };
    }
    if (call(fd, VIDIOC_S_FMT, &wish) < 0) return -1;
    read_format(&wish, is_multi, format);
    return 0;
}

int touchline_v4l2_visible(int fd, int32_t area[4]) {
    // Selections use the single-planar buffer type, whatever the device's interface.
    struct v4l2_selection found = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .target = V4L2_SEL_TGT_COMPOSE};
    if (call(fd, VIDIOC_G_SELECTION, &found) < 0) return -1;
    area[0] = found.r.left;
    area[1] = found.r.top;
    area[2] = (int32_t)found.r.width;
    area[3] = (int32_t)found.r.height;
    return 0;
}

int touchline_v4l2_pixel_aspect(int fd, int is_multi, uint32_t *width, uint32_t *height) {
    struct v4l2_cropcap found = {.type = type(0, is_multi)};
    if (call(fd, VIDIOC_CROPCAP, &found) < 0) return -1;
    // The kernel's fraction is height : width of a pixel here.
    *width = found.pixelaspect.denominator;
    *height = found.pixelaspect.numerator;
    return 0;
}

int touchline_v4l2_minimum(int fd, int32_t *count) {
    struct v4l2_control found = {.id = V4L2_CID_MIN_BUFFERS_FOR_CAPTURE};
    if (call(fd, VIDIOC_G_CTRL, &found) < 0) return -1;
    *count = found.value;
    return 0;
}

int touchline_v4l2_request(int fd, int is_coded, int is_multi, uint32_t *count, uint32_t *capabilities) {
    struct v4l2_requestbuffers wish = {
        .type = type(is_coded, is_multi), .memory = V4L2_MEMORY_MMAP, .count = *count,
    };
    if (call(fd, VIDIOC_REQBUFS, &wish) < 0) return -1;
    *count = wish.count;
    *capabilities = wish.capabilities;
    return 0;
}

static void read_buffer(const struct v4l2_buffer *from, int is_multi, struct touchline_v4l2_buffer *to) {
    *to = (struct touchline_v4l2_buffer){
        .index = from->index, .flags = from->flags, .planes = is_multi ? from->length : 1,
        .octets = is_multi ? 0 : from->bytesused,
        .serial = (uint64_t)from->timestamp.tv_sec * 1000000 + (uint64_t)from->timestamp.tv_usec,
    };
    if (!is_multi) {
        to->offsets[0] = from->m.offset;
        to->lengths[0] = from->length;
        return;
    }
    for (uint32_t plane = 0; plane < from->length && plane < touchline_v4l2_planes; plane++) {
        to->octets += from->m.planes[plane].bytesused;
        to->offsets[plane] = from->m.planes[plane].m.mem_offset;
        to->lengths[plane] = from->m.planes[plane].length;
    }
}

int touchline_v4l2_query_buffer(int fd, int is_coded, int is_multi, uint32_t index, struct touchline_v4l2_buffer *buffer) {
    struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
    struct v4l2_buffer found = {.type = type(is_coded, is_multi), .memory = V4L2_MEMORY_MMAP, .index = index};
    if (is_multi) {
        found.m.planes = planes;
        found.length = VIDEO_MAX_PLANES;
    }
    if (call(fd, VIDIOC_QUERYBUF, &found) < 0) return -1;
    read_buffer(&found, is_multi, buffer);
    return 0;
}

int touchline_v4l2_export(int fd, int is_multi, uint32_t index, uint32_t plane) {
    struct v4l2_exportbuffer wish = {
        .type = type(0, is_multi), .index = index, .plane = plane, .flags = O_RDWR | O_CLOEXEC,
    };
    return call(fd, VIDIOC_EXPBUF, &wish) < 0 ? -1 : wish.fd;
}

int touchline_v4l2_queue(int fd, int is_coded, int is_multi, uint32_t index, uint32_t planes, uint32_t octets, uint64_t serial) {
    struct v4l2_plane list[VIDEO_MAX_PLANES] = {0};
    struct v4l2_buffer buffer = {
        .type = type(is_coded, is_multi), .memory = V4L2_MEMORY_MMAP, .index = index, .field = V4L2_FIELD_NONE,
        .timestamp = {.tv_sec = (time_t)(serial / 1000000), .tv_usec = (suseconds_t)(serial % 1000000)},
    };
    if (is_multi) {
        list[0].bytesused = octets;
        buffer.m.planes = list;
        buffer.length = planes;
    } else {
        buffer.bytesused = octets;
    }
    return call(fd, VIDIOC_QBUF, &buffer);
}

int touchline_v4l2_dequeue(int fd, int is_coded, int is_multi, struct touchline_v4l2_buffer *buffer) {
    struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
    struct v4l2_buffer found = {.type = type(is_coded, is_multi), .memory = V4L2_MEMORY_MMAP};
    if (is_multi) {
        found.m.planes = planes;
        found.length = VIDEO_MAX_PLANES;
    }
    if (call(fd, VIDIOC_DQBUF, &found) < 0) return -1;
    read_buffer(&found, is_multi, buffer);
    return 0;
}

int touchline_v4l2_stream(int fd, int is_coded, int is_multi, int is_on) {
    int queue = (int)type(is_coded, is_multi);
    return call(fd, is_on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &queue);
}

int touchline_v4l2_stop(int fd) {
    struct v4l2_decoder_cmd command = {.cmd = V4L2_DEC_CMD_STOP};
    return call(fd, VIDIOC_DECODER_CMD, &command);
}

int touchline_v4l2_subscribe(int fd) {
    struct v4l2_event_subscription wish = {.type = V4L2_EVENT_SOURCE_CHANGE};
    if (call(fd, VIDIOC_SUBSCRIBE_EVENT, &wish) < 0) return -1;
    wish = (struct v4l2_event_subscription){.type = V4L2_EVENT_EOS};
    call(fd, VIDIOC_SUBSCRIBE_EVENT, &wish);  // V4L2_BUF_FLAG_LAST tells it as well
    return 0;
}

int touchline_v4l2_event(int fd, uint32_t *kind, uint32_t *changes) {
    struct v4l2_event found = {0};
    if (call(fd, VIDIOC_DQEVENT, &found) < 0) return -1;
    *kind = found.type;
    *changes = found.type == V4L2_EVENT_SOURCE_CHANGE ? found.u.src_change.changes : 0;
    return 0;
}

int touchline_dma_buf_sync(int fd, int is_end) {
    struct dma_buf_sync wish = {
        .flags = DMA_BUF_SYNC_READ | (is_end ? DMA_BUF_SYNC_END : DMA_BUF_SYNC_START),
    };
    return call(fd, DMA_BUF_IOCTL_SYNC, &wish);
}
