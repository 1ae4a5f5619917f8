// SPDX-License-Identifier: Apache-2.0
// Packet sockets (packet(7)), which hear the frames of one interface, also those that it sends.
#define _GNU_SOURCE
#include "CNetworkShims.h"
#include "peer.h"
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <time.h>

_Static_assert(sizeof(struct touchline_filter_step) == sizeof(struct sock_filter), "the kernel's own");

int touchline_packet_socket(void) {
    // Without a protocol it hears nothing until it is bound.
    return socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int touchline_packet_filter(int fd, const struct touchline_filter_step *steps, int count) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = (struct sock_filter *)(void *)steps};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int touchline_packet_bind(int fd, const char *interface, int receive_octets) {
    int on = 1;
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
    if (ioctl(fd, SIOCGIFINDEX, &request) < 0) return -1;
    // The lengths of whole frames come as ancillary data, and are needed; stamps are optional. The kernel caps the buffer at
    // rmem_max without an error.
    if (setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &on, sizeof on) < 0) return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_octets, sizeof receive_octets);
    struct sockaddr_ll own = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = request.ifr_ifindex};
    socklen_t length = sizeof own;
    if (bind(fd, (struct sockaddr *)&own, sizeof own) < 0) return -1;
    return getsockname(fd, (struct sockaddr *)&own, &length) < 0 ? -1 : own.sll_hatype;
}

int touchline_packet_receive(int fd, void *bytes, size_t octets, struct touchline_frame *frame) {
    _Alignas(struct cmsghdr) char control[256];
    struct iovec vector = {.iov_base = bytes, .iov_len = octets};
    struct msghdr header = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t count = recvmsg(fd, &header, MSG_DONTWAIT);
    if (count < 0) return -1;
    memset(frame, 0, sizeof *frame);
    frame->octets = frame->length = (uint32_t)count;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            frame->has_stamp = 1;
            frame->stamp_nanoseconds = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
        } else if (part->cmsg_level == SOL_PACKET && part->cmsg_type == PACKET_AUXDATA) {
            struct tpacket_auxdata more;
            memcpy(&more, CMSG_DATA(part), sizeof more);
            if (more.tp_len > frame->length) frame->length = more.tp_len;
        }
    }
    return 0;
}

int64_t touchline_packet_drops(int fd) {
    struct tpacket_stats statistics;
    socklen_t length = sizeof statistics;
    if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &statistics, &length) < 0) return -1;
    return statistics.tp_drops;
}
