// SPDX-License-Identifier: Apache-2.0
// libdrm as Swift sees it.
#ifndef TOUCHLINE_CLIBDRM_H
#define TOUCHLINE_CLIBDRM_H

#include <drm.h>
#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

/// Blue, green, red and an octet that is ignored: a macro that the importer skips.
static const uint32_t tl_drm_xrgb8888 = DRM_FORMAT_XRGB8888;

#endif
