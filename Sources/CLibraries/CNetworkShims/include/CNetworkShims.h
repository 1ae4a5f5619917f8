// SPDX-License-Identifier: Apache-2.0
// Datagrams in batches with their ancillary data (stamps and drop counts need the CMSG macros), and multicast options.
#pragma once
#include <stdint.h>
#include <sys/types.h>

struct touchline_datagram {
    /// Octets received; `is_truncated` when the datagram was longer than its slot.
    uint32_t octets;
    uint8_t is_truncated;
    uint8_t has_stamp;
    /// 4 or 6, then the source.
    uint8_t family;
    uint8_t padding;
    uint8_t source[16];
    /// Kernel's arrival, CLOCK_REALTIME.
    int64_t stamp_nanoseconds;
    /// Total that the kernel dropped on this socket so far.
    uint32_t drops;
};

struct touchline_batch;
struct touchline_batch *touchline_batch_create(int slots, int octets);
void touchline_batch_destroy(struct touchline_batch *batch);
/// Waits for at least one datagram (SO_RCVTIMEO), then takes what is there. Count, or -1 with errno.
int touchline_batch_receive(struct touchline_batch *batch, int fd, int wait);
const struct touchline_datagram *touchline_batch_datagrams(const struct touchline_batch *batch);
const uint8_t *touchline_batch_bytes(const struct touchline_batch *batch, int slot);

/// Numeric addresses only. Each returns a descriptor or 0, or -1 with errno.
/// Link-local IPv6 is bound on `interface`; without one (0) to every address, as only its join can say where it is then.
int touchline_udp_bind(const char *address, uint16_t port, uint32_t interface, int receive_octets);
/// Closing the descriptor leaves the group.
int touchline_multicast_join(int fd, const char *group, const char *source, uint32_t interface);
/// Hears the group, joined from any source, without this one.
int touchline_multicast_block(int fd, const char *group, const char *source, uint32_t interface);
/// Leaves the group with all its sources; the interface may be gone.
int touchline_multicast_leave(int fd, const char *group, uint32_t interface);
int touchline_multicast_leave_source(int fd, const char *group, const char *source, uint32_t interface);
/// `old` is what `fd` is from now on, for whoever reads from it too.
int touchline_replace(int fd, int old);
int touchline_udp_connect(const char *address, uint16_t port, uint32_t interface, int ttl);
int touchline_set_receive_timeout(int fd, int milliseconds);
ssize_t touchline_send(int fd, const void *bytes, size_t octets);
int touchline_is_multicast(const char *address);
uint32_t touchline_interface_index(const char *name);
int touchline_address_text(const struct touchline_datagram *datagram, char *text, int octets);
/// The own address that a connected socket sends from.
int touchline_own_address(int fd, char *text, int octets);

/// A routing netlink socket that never waits; `watches`: links, addresses and routes of both families are told.
int touchline_netlink_open(int watches);
/// Octets of one datagram of the kernel; 0: another program's, which is dropped. -1 with errno: ENOBUFS where something
/// was lost, EMSGSIZE where the datagram was cut.
ssize_t touchline_netlink_receive(int fd, void *bytes, size_t octets);
/// Asks for all links (0) or all addresses (1).
int touchline_netlink_list(int fd, int addresses);
/// Asks for the route to a numeric address.
int touchline_netlink_route(int fd, const char *address);
