// SPDX-License-Identifier: Apache-2.0
// Datagrams to and from single peers, with the kernel's stamps both ways.
#define _GNU_SOURCE
#include "CNetworkShims.h"
#include "peer.h"
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <time.h>

int touchline_udp_exchange(const struct touchline_peer *own, const struct touchline_peer *peer, int receive_octets) {
    union address address;
    socklen_t length;
    int on = 1;
    int fd = socket(fill(own ? own : peer, &address, &length), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    if (address.any.sa_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0)
        return failed(fd);
    // Stamps are optional. Those of datagrams that are sent are requested with each; this says how they are reported.
    int reports = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &reports, sizeof reports);
    (void)setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_octets, sizeof receive_octets);
    if ((own ? bind : connect)(fd, &address.any, length) < 0) return failed(fd);
    return fd;
}

int touchline_restart_send_stamps(int fd) {
    int off = 0, reports = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;
    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &off, sizeof off) < 0) return -1;
    return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &reports, sizeof reports);
}

ssize_t touchline_send_to(
    int fd, const void *bytes, size_t octets, const struct touchline_peer *peer, int is_stamped
) {
    union address remote;
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = octets};
    struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1};
    union {
        struct cmsghdr part;
        char space[CMSG_SPACE(sizeof(uint32_t))];
    } control;
    if (peer) {
        fill(peer, &remote, &header.msg_namelen);
        header.msg_name = &remote;
    }
    if (is_stamped) {
        uint32_t request = SOF_TIMESTAMPING_TX_SOFTWARE;
        memset(&control, 0, sizeof control);
        control.part.cmsg_level = SOL_SOCKET;
        control.part.cmsg_type = SO_TIMESTAMPING;
        control.part.cmsg_len = CMSG_LEN(sizeof request);
        memcpy(CMSG_DATA(&control.part), &request, sizeof request);
        header.msg_control = &control;
        header.msg_controllen = sizeof control;
    }
    return sendmsg(fd, &header, MSG_NOSIGNAL);
}

int touchline_send_stamp(int fd, uint32_t *number, int64_t *nanoseconds) {
    _Alignas(struct cmsghdr) char control[256];
    char payload[64];
    for (int attempt = 0; attempt < 64; attempt++) {
        struct iovec vector = {.iov_base = payload, .iov_len = sizeof payload};
        struct msghdr header = {
            .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control,
        };
        if (recvmsg(fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return errno == EAGAIN ? 0 : -1;
        int has_number = 0, has_stamp = 0;
        for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
            if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPING) {
                struct scm_timestamping stamps;
                memcpy(&stamps, CMSG_DATA(part), sizeof stamps);
                has_stamp = stamps.ts[0].tv_sec != 0;
                *nanoseconds = (int64_t)stamps.ts[0].tv_sec * 1000000000 + stamps.ts[0].tv_nsec;
            } else if ((part->cmsg_level == SOL_IP && part->cmsg_type == IP_RECVERR)
                       || (part->cmsg_level == SOL_IPV6 && part->cmsg_type == IPV6_RECVERR)) {
                struct sock_extended_err error;
                memcpy(&error, CMSG_DATA(part), sizeof error);
                has_number = error.ee_errno == ENOMSG && error.ee_origin == SO_EE_ORIGIN_TIMESTAMPING;
                *number = error.ee_data;
            }
        }
        if (has_number && has_stamp) return 1;
    }
    return 0;
}

int touchline_own_peer(int fd, struct touchline_peer *peer) {
    union address own;
    socklen_t length = sizeof own;
    if (getsockname(fd, &own.any, &length) < 0) return -1;
    describe_peer(&own, peer);
    return 0;
}
