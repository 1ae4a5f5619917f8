// SPDX-License-Identifier: Apache-2.0
// Sockets for echo requests by a program without rights: Linux's ICMP datagram sockets (icmp(7), ping_group_range).
#define _GNU_SOURCE
#include "CNetworkShims.h"
#include "peer.h"
#include <linux/errqueue.h>
#include <sys/uio.h>

int touchline_echo_socket(int is_six) {
    int on = 1;
    int fd = socket(
        is_six ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
        is_six ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
    if (fd < 0) return -1;
    int level = is_six ? IPPROTO_IPV6 : IPPROTO_IP, option = is_six ? IPV6_RECVERR : IP_RECVERR;
    return setsockopt(fd, level, option, &on, sizeof on) < 0 ? failed(fd) : fd;
}

int touchline_echo_connect(int fd, const struct touchline_peer *peer) {
    union address address;
    socklen_t length;
    fill(peer, &address, &length);
    return connect(fd, &address.any, length);
}

ssize_t touchline_echo_problem(int fd, void *bytes, size_t octets, struct touchline_delivery_problem *problem) {
    _Alignas(struct cmsghdr) char control[512];
    struct iovec vector = {.iov_base = bytes, .iov_len = octets};
    struct msghdr header = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control,
    };
    memset(problem, 0, sizeof *problem);
    ssize_t count = recvmsg(fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT);
    if (count < 0) return -1;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        int is_four = part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR;
        int is_six = part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR;
        struct sock_extended_err error;
        if ((!is_four && !is_six) || part->cmsg_len < CMSG_LEN(sizeof error)) continue;
        memcpy(&error, CMSG_DATA(part), sizeof error);
        problem->error = (int32_t)error.ee_errno;
        problem->is_reported = error.ee_origin == SO_EE_ORIGIN_ICMP || error.ee_origin == SO_EE_ORIGIN_ICMP6;
        problem->type = error.ee_type;
        problem->code = error.ee_code;
        // The address of whoever reports it stands behind, as long as its family is.
        union address offender;
        memset(&offender, 0, sizeof offender);
        size_t rest = part->cmsg_len - CMSG_LEN(sizeof error);
        memcpy(&offender, CMSG_DATA(part) + sizeof error, rest < sizeof offender ? rest : sizeof offender);
        describe_peer(&offender, &problem->reporter);
    }
    return count;
}

int touchline_pending_error(int fd) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0 ? -1 : error;
}
