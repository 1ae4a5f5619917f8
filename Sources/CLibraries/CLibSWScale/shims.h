// SPDX-License-Identifier: Apache-2.0
#ifndef TOUCHLINE_CLIBSWSCALE_H
#define TOUCHLINE_CLIBSWSCALE_H

#include <libavutil/log.h>
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>

#endif
