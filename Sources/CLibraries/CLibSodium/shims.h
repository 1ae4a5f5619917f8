// SPDX-License-Identifier: Apache-2.0
// What is used of libsodium, as Swift sees it.
#ifndef TOUCHLINE_CLIBSODIUM_H
#define TOUCHLINE_CLIBSODIUM_H

#include <sodium/core.h>
#include <sodium/crypto_auth.h>
#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/crypto_core_ed25519.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_sign.h>
#include <sodium/crypto_verify_32.h>

#endif
