// SPDX-License-Identifier: Apache-2.0
// PostgreSQL's client as Swift sees it.
#ifndef TOUCHLINE_CLIBPQ_H
#define TOUCHLINE_CLIBPQ_H

#include <libpq-fe.h>
#include <stdlib.h>

/// Fields of an error, which postgres_ext.h has as characters.
static const int tl_pq_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int tl_pq_state = PG_DIAG_SQLSTATE;
static const int tl_pq_message = PG_DIAG_MESSAGE_PRIMARY;

#endif
