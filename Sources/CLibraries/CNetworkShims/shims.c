// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CNetworkShims.h"
#include "peer.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { control_octets = 192 };

struct touchline_batch {
    int slots;
    int octets;
    uint8_t *bytes;
    uint8_t *control;
    struct mmsghdr *headers;
    struct iovec *vectors;
    union address *sources;
    struct touchline_datagram *datagrams;
};

static int parse(const char *text, uint16_t port, union address *address, socklen_t *length) {
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &address->four.sin_addr) == 1) {
        address->four.sin_family = AF_INET;
        address->four.sin_port = htons(port);
        *length = sizeof address->four;
        return 0;
    }
    if (inet_pton(AF_INET6, text, &address->six.sin6_addr) == 1) {
        address->six.sin6_family = AF_INET6;
        address->six.sin6_port = htons(port);
        *length = sizeof address->six;
        return 0;
    }
    errno = EINVAL;
    return -1;
}

struct touchline_batch *touchline_batch_create(int slots, int octets) {
    struct touchline_batch *batch = calloc(1, sizeof *batch);
    if (!batch) return NULL;
    size_t count = (size_t)slots;
    batch->slots = slots;
    batch->octets = octets;
    batch->bytes = calloc(count, (size_t)octets);
    batch->control = calloc(count, control_octets);
    batch->headers = calloc(count, sizeof *batch->headers);
    batch->vectors = calloc(count, sizeof *batch->vectors);
    batch->sources = calloc(count, sizeof *batch->sources);
    batch->datagrams = calloc(count, sizeof *batch->datagrams);
    if (!batch->bytes || !batch->control || !batch->headers || !batch->vectors || !batch->sources || !batch->datagrams) {
        touchline_batch_destroy(batch);
        return NULL;
    }
    return batch;
}

void touchline_batch_destroy(struct touchline_batch *batch) {
    free(batch->bytes);
    free(batch->control);
    free(batch->headers);
    free(batch->vectors);
    free(batch->sources);
    free(batch->datagrams);
    free(batch);
}

static void describe(const struct mmsghdr *message, const union address *source, struct touchline_datagram *datagram) {
    memset(datagram, 0, sizeof *datagram);
    datagram->octets = message->msg_len;
    datagram->is_truncated = (message->msg_hdr.msg_flags & MSG_TRUNC) != 0;
    describe_peer(source, &datagram->sender);
    struct msghdr header = message->msg_hdr;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET) continue;
        if (part->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            datagram->has_stamp = 1;
            datagram->stamp_nanoseconds = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
        } else if (part->cmsg_type == SO_RXQ_OVFL) {
            memcpy(&datagram->drops, CMSG_DATA(part), sizeof datagram->drops);
        }
    }
}

int touchline_batch_receive(struct touchline_batch *batch, int fd, int wait) {
    for (int i = 0; i < batch->slots; i++) {
        batch->vectors[i].iov_base = batch->bytes + (size_t)i * (size_t)batch->octets;
        batch->vectors[i].iov_len = (size_t)batch->octets;
        struct msghdr *header = &batch->headers[i].msg_hdr;
        header->msg_name = &batch->sources[i];
        header->msg_namelen = sizeof batch->sources[i];
        header->msg_iov = &batch->vectors[i];
        header->msg_iovlen = 1;
        header->msg_control = batch->control + (size_t)i * control_octets;
        header->msg_controllen = control_octets;
        header->msg_flags = 0;
    }
    int count = recvmmsg(fd, batch->headers, (unsigned)batch->slots, wait ? MSG_WAITFORONE : MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) describe(&batch->headers[i], &batch->sources[i], &batch->datagrams[i]);
    return count;
}

const struct touchline_datagram *touchline_batch_datagrams(const struct touchline_batch *batch) { return batch->datagrams; }

const uint8_t *touchline_batch_bytes(const struct touchline_batch *batch, int slot) {
    return batch->bytes + (size_t)slot * (size_t)batch->octets;
}

#ifndef IPV6_MULTICAST_ALL
#define IPV6_MULTICAST_ALL 29  // in linux/in6.h since 4.20, missing in glibc's netinet/in.h
#endif

/// Whether the kernel needs the interface (sin6_scope_id) to bind or connect to this address.
static int needs_scope(const union address *address) {
    const struct in6_addr *six = &address->six.sin6_addr;
    return address->any.sa_family == AF_INET6
        && (IN6_IS_ADDR_LINKLOCAL(six) || IN6_IS_ADDR_MC_LINKLOCAL(six) || IN6_IS_ADDR_MC_NODELOCAL(six));
}

int touchline_udp_bind(const char *address, uint16_t port, uint32_t interface, int receive_octets) {
    union address local;
    socklen_t length;
    int on = 1, off = 0;
    if (parse(address, port, &local, &length) < 0) return -1;
    int fd = socket(local.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return failed(fd);
    // Otherwise the socket receives every group that any process of the host has joined on its port.
    if (local.any.sa_family == AF_INET && setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off) < 0)
        return failed(fd);
    if (local.any.sa_family == AF_INET6) {
        // IPv4 datagrams are left to a socket of that family.
        if (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0) return failed(fd);
        if (setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_ALL, &off, sizeof off) < 0 && errno != ENOPROTOOPT)
            return failed(fd);
        if (needs_scope(&local)) {
            local.six.sin6_scope_id = interface;
            if (!interface && IN6_IS_ADDR_MULTICAST(&local.six.sin6_addr)) local.six.sin6_addr = in6addr_any;
        }
    }
    // Timestamps and drop counts are optional. The kernel caps the buffer at rmem_max without an error.
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_octets, sizeof receive_octets);
    if (bind(fd, &local.any, length) < 0) return failed(fd);
    return fd;
}

static int request_source(int fd, int option, const char *group, const char *source, uint32_t interface) {
    union address target, origin;
    socklen_t length;
    if (parse(group, 0, &target, &length) < 0 || parse(source, 0, &origin, &length) < 0) return -1;
    struct group_source_req request = {.gsr_interface = interface};
    memcpy(&request.gsr_group, &target, sizeof request.gsr_group);
    memcpy(&request.gsr_source, &origin, sizeof request.gsr_source);
    int level = target.any.sa_family == AF_INET ? IPPROTO_IP : IPPROTO_IPV6;
    return setsockopt(fd, level, option, &request, sizeof request);
}

static int request_group(int fd, int option, const char *group, uint32_t interface) {
    union address target;
    socklen_t length;
    if (parse(group, 0, &target, &length) < 0) return -1;
    struct group_req request = {.gr_interface = interface};
    memcpy(&request.gr_group, &target, sizeof request.gr_group);
    int level = target.any.sa_family == AF_INET ? IPPROTO_IP : IPPROTO_IPV6;
    return setsockopt(fd, level, option, &request, sizeof request);
}

int touchline_multicast_block(int fd, const char *group, const char *source, uint32_t interface) {
    return request_source(fd, MCAST_BLOCK_SOURCE, group, source, interface);
}

int touchline_multicast_join(int fd, const char *group, const char *source, uint32_t interface) {
    if (source && source[0]) return request_source(fd, MCAST_JOIN_SOURCE_GROUP, group, source, interface);
    return request_group(fd, MCAST_JOIN_GROUP, group, interface);
}

int touchline_multicast_leave(int fd, const char *group, uint32_t interface) {
    return request_group(fd, MCAST_LEAVE_GROUP, group, interface);
}

int touchline_multicast_leave_source(int fd, const char *group, const char *source, uint32_t interface) {
    return request_source(fd, MCAST_LEAVE_SOURCE_GROUP, group, source, interface);
}

int touchline_replace(int fd, int old) { return dup3(fd, old, O_CLOEXEC); }

int touchline_udp_connect(const char *address, uint16_t port, uint32_t interface, int ttl) {
    union address remote;
    socklen_t length;
    int on = 1;
    if (parse(address, port, &remote, &length) < 0) return -1;
    int fd = socket(remote.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (touchline_is_multicast(address)) {
        if (remote.any.sa_family == AF_INET) {
            struct ip_mreqn request = {.imr_ifindex = (int)interface};
            if (interface && setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request) < 0)
                return failed(fd);
            if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, sizeof ttl) < 0) return failed(fd);
            if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &on, sizeof on) < 0) return failed(fd);
        } else {
            int index = (int)interface;
            if (index && setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof index) < 0) return failed(fd);
            if (setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &ttl, sizeof ttl) < 0) return failed(fd);
        }
    }
    if (needs_scope(&remote)) remote.six.sin6_scope_id = interface;
    if (connect(fd, &remote.any, length) < 0) return failed(fd);
    return fd;
}

int touchline_set_receive_timeout(int fd, int milliseconds) {
    struct timeval timeout = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
}

ssize_t touchline_send(int fd, const void *bytes, size_t octets) { return send(fd, bytes, octets, MSG_NOSIGNAL); }

int touchline_is_multicast(const char *address) {
    union address parsed;
    socklen_t length;
    if (parse(address, 0, &parsed, &length) < 0) return 0;
    return parsed.any.sa_family == AF_INET ? IN_MULTICAST(ntohl(parsed.four.sin_addr.s_addr))
                                           : IN6_IS_ADDR_MULTICAST(&parsed.six.sin6_addr) != 0;
}

uint32_t touchline_interface_index(const char *name) { return if_nametoindex(name); }

int touchline_address_text(const struct touchline_datagram *datagram, char *text, int octets) {
    int family = datagram->sender.family == 6 ? AF_INET6 : AF_INET;
    return inet_ntop(family, datagram->sender.address, text, (socklen_t)octets) ? 0 : -1;
}

int touchline_own_address(int fd, char *text, int octets) {
    union address own;
    socklen_t length = sizeof own;
    if (getsockname(fd, &own.any, &length) < 0) return -1;
    const void *bytes = own.any.sa_family == AF_INET6 ? (const void *)&own.six.sin6_addr : &own.four.sin_addr;
    return inet_ntop(own.any.sa_family, bytes, text, (socklen_t)octets) ? 0 : -1;
}
