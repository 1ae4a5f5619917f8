// SPDX-License-Identifier: Apache-2.0
// libdrm as Swift sees it.
#ifndef TOUCHLINE_CLIBDRM_H
#define TOUCHLINE_CLIBDRM_H

#include <drm.h>
#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#endif
