// SPDX-License-Identifier: Apache-2.0
// libwebsockets as Swift sees it: macros that the importer skips.
#ifndef TOUCHLINE_CLIBWEBSOCKETS_H
#define TOUCHLINE_CLIBWEBSOCKETS_H

#include <libwebsockets.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/// Octets in front of the data written that the library may overwrite.
static const size_t tl_lws_headroom = LWS_PRE;
/// The library does not listen itself: accepted sockets are given to it.
static const int tl_lws_no_listening = CONTEXT_PORT_NO_LISTEN_SERVER;

/// Data that is not a request known to the library is delivered as raw octets, instead of being answered with the
/// library's own page.
static const uint64_t tl_lws_raw_for_rubbish = LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG;

/// Keeps the library from changing the user and group of the process.
static inline void tl_lws_keep_identity(struct lws_context_creation_info *info) { info->uid = -1, info->gid = -1; }

/// Keeps the library from connecting through the proxy that the environment names: our peers are in the venue.
static inline void tl_lws_use_no_proxy(struct lws_context_creation_info *info) { info->http_proxy_address = ""; }

/// What wakes a context at a time.
struct tl_lws_alarm {
    lws_sorted_usec_list_t element;
    struct lws_context *context;
};

/// An alarm that is due when `lws_service` begins is taken before that waits, and it would wait on for the next one.
static inline void tl_lws_woken(lws_sorted_usec_list_t *element) {
    lws_cancel_service(lws_container_of(element, struct tl_lws_alarm, element)->context);
}

/// Makes `lws_service` return after so many microseconds. The alarm must stay where it is; a second call replaces the
/// first.
static inline void tl_lws_wake_in(struct lws_context *context, struct tl_lws_alarm *alarm, int64_t microseconds) {
    alarm->context = context;
    lws_sul_schedule(context, 0, &alarm->element, tl_lws_woken, microseconds);
}

/// An accepted socket is served without TLS, also by a virtual host that has it.
static const lws_adoption_type tl_lws_plain = (lws_adoption_type)(LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP);
static const lws_adoption_type tl_lws_secure =
    (lws_adoption_type)(LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL);

/// The virtual host has a context of TLS, which gets its certificate in LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS.
static const uint64_t tl_lws_with_tls =
    LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;

/// TLS 1.2 with forward secrecy and authenticated ciphers, and TLS 1.3. Sessions are resumed by tickets, so that none are
/// kept here; nobody renegotiates. There is one virtual host, which nobody chooses by name (SNI).
/// Returns 1 if that worked.
static inline int tl_tls_limit(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_tlsext_servername_callback(context, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
        SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1 &&
        SSL_CTX_set_cipher_list(
            context, "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!kRSA:!PSK:!SRP") == 1;
}

static inline int tl_tls_no_passphrase(char *text, int size, int is_writing, void *user) {
    (void)text, (void)size, (void)is_writing, (void)user;
    return 0;
}

static inline void tl_tls_free(void *parent, void *identity, CRYPTO_EX_DATA *data, int place, long number, void *user) {
    (void)parent, (void)data, (void)place, (void)number, (void)user;
    SSL_CTX_free((SSL_CTX *)identity);
}

/// A place at which contexts keep an identity: a context of its own that has a certificate and nothing else, and goes with
/// them. Returns -1 if there is none.
static inline int tl_tls_place(void) { return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, tl_tls_free); }

/// Shows a client the identity that its context has now. A context would keep a certificate of each kind of key, and go on
/// showing one of P-256 when one of RSA has taken its place.
static inline int tl_tls_choose(SSL *connection, void *place) {
    SSL_CTX *identity = (SSL_CTX *)SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), (int)(intptr_t)place);
    STACK_OF(X509) *chain = NULL;
    if (identity == NULL || SSL_CTX_get0_chain_certs(identity, &chain) != 1) return 0;
    SSL_certs_clear(connection);
    return SSL_use_cert_and_key(connection, SSL_CTX_get0_certificate(identity), SSL_CTX_get0_privatekey(identity), chain, 1);
}

/// Gives the context a certificate with its chain, and the key, all as PEM. Connections that are open keep theirs.
/// Returns 1 if that worked; the context is as before otherwise.
static inline int tl_tls_use(
    SSL_CTX *context, int place, const char *certificates, int certificate_octets, const char *key, int key_octets) {
    BIO *certificate_text = BIO_new_mem_buf(certificates, certificate_octets);
    BIO *key_text = BIO_new_mem_buf(key, key_octets);
    STACK_OF(X509) *chain = sk_X509_new_null();
    X509 *leaf = NULL, *next = NULL;
    EVP_PKEY *private_key = NULL;
    SSL_CTX *identity = SSL_CTX_new(TLS_server_method());
    int result = 0;
    if (certificate_text != NULL && key_text != NULL && chain != NULL && identity != NULL) {
        leaf = PEM_read_bio_X509(certificate_text, NULL, tl_tls_no_passphrase, NULL);
        while ((next = PEM_read_bio_X509(certificate_text, NULL, tl_tls_no_passphrase, NULL)) != NULL)
            if (!sk_X509_push(chain, next)) X509_free(next);
        private_key = PEM_read_bio_PrivateKey(key_text, NULL, tl_tls_no_passphrase, NULL);
        if (leaf != NULL && private_key != NULL)
            result = SSL_CTX_use_cert_and_key(identity, leaf, private_key, chain, 1);
    }
    if (result == 1) {
        SSL_CTX *before = (SSL_CTX *)SSL_CTX_get_ex_data(context, place);
        result = SSL_CTX_set_ex_data(context, place, identity);
        if (result == 1) {
            identity = before;
            SSL_CTX_set_cert_cb(context, tl_tls_choose, (void *)(intptr_t)place);
        }
    }
    SSL_CTX_free(identity);
    X509_free(leaf);
    EVP_PKEY_free(private_key);
    sk_X509_pop_free(chain, X509_free);
    BIO_free(certificate_text);
    BIO_free(key_text);
    ERR_clear_error();
    return result == 1;
}

/// Version 4.3 counts the users of a log context without a lock, so each context gets a log of its own, which is
/// silent.
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
typedef lws_log_cx_t tl_lws_log;
static inline void tl_lws_set_log(struct lws_context_creation_info *info, tl_lws_log *log) { info->log_cx = log; }
#else
typedef struct { int unused; } tl_lws_log;
static inline void tl_lws_set_log(struct lws_context_creation_info *info, tl_lws_log *log) { (void)info, (void)log; }
#endif

#endif
