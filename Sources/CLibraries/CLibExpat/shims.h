// SPDX-License-Identifier: Apache-2.0
// Expat as Swift sees it.
#ifndef TOUCHLINE_CLIBEXPAT_H
#define TOUCHLINE_CLIBEXPAT_H

#include <expat.h>

#endif
