// SPDX-License-Identifier: Apache-2.0
// zlib as Swift sees it.
#ifndef TOUCHLINE_CLIBZ_H
#define TOUCHLINE_CLIBZ_H

#include <zlib.h>

#endif
