// SPDX-License-Identifier: Apache-2.0
// Socket addresses of either family.
#pragma once
#include "CNetworkShims.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_storage storage;
};

/// Returns the address family.
static inline int fill(const struct touchline_peer *peer, union address *address, socklen_t *length) {
    memset(address, 0, sizeof *address);
    if (peer->family == 4) {
        address->four.sin_family = AF_INET;
        address->four.sin_port = htons(peer->port);
        memcpy(&address->four.sin_addr, peer->address, 4);
        *length = sizeof address->four;
    } else {
        address->six.sin6_family = AF_INET6;
        address->six.sin6_port = htons(peer->port);
        address->six.sin6_scope_id = peer->interface;
        memcpy(&address->six.sin6_addr, peer->address, 16);
        *length = sizeof address->six;
    }
    return address->any.sa_family;
}

static inline void describe_peer(const union address *address, struct touchline_peer *peer) {
    memset(peer, 0, sizeof *peer);
    if (address->any.sa_family == AF_INET) {
        peer->family = 4;
        peer->port = ntohs(address->four.sin_port);
        memcpy(peer->address, &address->four.sin_addr, 4);
    } else if (address->any.sa_family == AF_INET6) {
        peer->family = 6;
        peer->port = ntohs(address->six.sin6_port);
        peer->interface = address->six.sin6_scope_id;
        memcpy(peer->address, &address->six.sin6_addr, 16);
    }
}

/// Closes a descriptor that is of no use; errno is kept.
static inline int failed(int fd) {
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}
