// SPDX-License-Identifier: Apache-2.0
// What is used of OpenSSL's libcrypto, as Swift sees it: macros and variadic calls as functions.
#ifndef TOUCHLINE_CLIBCRYPTO_H
#define TOUCHLINE_CLIBCRYPTO_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// A new key pair on the curve P-256; NULL if there is none.
static inline EVP_PKEY *tl_crypto_new_p256(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

/// The octets of a BIO in memory, which stay its own.
static inline long tl_crypto_octets(BIO *bio, char **start) { return BIO_get_mem_data(bio, start); }

/// Answers no passphrase, so that nobody is asked for one on a terminal.
static inline int tl_crypto_no_passphrase(char *text, int size, int is_writing, void *user) {
    (void)text, (void)size, (void)is_writing, (void)user;
    return 0;
}

/// The next certificate of the text; NULL behind the last one, and at what is none.
static inline X509 *tl_crypto_read_certificate(BIO *bio) {
    return PEM_read_bio_X509(bio, NULL, tl_crypto_no_passphrase, NULL);
}

/// The private key of the text; NULL if it has none that is readable without a passphrase.
static inline EVP_PKEY *tl_crypto_read_key(BIO *bio) {
    return PEM_read_bio_PrivateKey(bio, NULL, tl_crypto_no_passphrase, NULL);
}

/// Whether the last failure is that a text has no further block of PEM.
static inline int tl_crypto_at_end(void) {
    unsigned long error = ERR_peek_last_error();
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/// Adds an extension as openssl.cnf(5) writes its value; 1 if that worked.
static inline int tl_crypto_extend(X509 *certificate, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int result = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return result;
}

#endif
