// SPDX-License-Identifier: Apache-2.0
// Intel's Intelligent Storage Acceleration Library as Swift sees it: arithmetic in GF(2^8).
#ifndef TOUCHLINE_CLIBISAL_H
#define TOUCHLINE_CLIBISAL_H

#include <isa-l/erasure_code.h>

#endif
