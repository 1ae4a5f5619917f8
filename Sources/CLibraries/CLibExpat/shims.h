// SPDX-License-Identifier: Apache-2.0
// Expat as Swift sees it.
#ifndef TOUCHLINE_CLIBEXPAT_H
#define TOUCHLINE_CLIBEXPAT_H

#include <expat.h>

// Deprecated in newer versions for a function that older ones lack.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline long long tl_expat_byte_index(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
#pragma clang diagnostic pop

#endif
