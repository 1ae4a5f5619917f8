// SPDX-License-Identifier: Apache-2.0
// Datagrams received in batches with their ancillary data (timestamps and drop counts need the CMSG macros), multicast
// options.
#pragma once
#include <stdint.h>
#include <sys/types.h>

struct touchline_peer {
    /// Address family: 4 or 6; 0 if unknown.
    uint8_t family;
    uint8_t padding;
    uint16_t port;
    /// Index of the interface that a link-local IPv6 address belongs to; 0 for all else.
    uint32_t interface;
    /// In network order; 4 octets of it for IPv4.
    uint8_t address[16];
};

struct touchline_datagram {
    /// Octets received. `is_truncated` is set if the datagram was longer than its slot.
    uint32_t octets;
    uint8_t is_truncated;
    uint8_t has_stamp;
    struct touchline_peer sender;
    /// The kernel's arrival timestamp by CLOCK_REALTIME, in ns; valid if `has_stamp` is set.
    int64_t stamp_nanoseconds;
    /// Number of datagrams that the kernel has dropped on this socket so far.
    uint32_t drops;
};

struct touchline_batch;
struct touchline_batch *touchline_batch_create(int slots, int octets);
void touchline_batch_destroy(struct touchline_batch *batch);
/// Receives the datagrams that are there. If `wait` is nonzero it waits for the first, at most SO_RCVTIMEO. Returns
/// their number, or -1 with errno.
int touchline_batch_receive(struct touchline_batch *batch, int fd, int wait);
const struct touchline_datagram *touchline_batch_datagrams(const struct touchline_batch *batch);
const uint8_t *touchline_batch_bytes(const struct touchline_batch *batch, int slot);

// The functions from here on take numeric addresses only. Each returns a descriptor or 0, or -1 with errno.

/// Binds a datagram socket. A link-local IPv6 address is bound on `interface`. If that is 0, a link-local group is bound
/// to the unspecified address, because only the join names its interface then.
int touchline_udp_bind(const char *address, uint16_t port, uint32_t interface, int receive_octets);
/// Closing the descriptor leaves the group.
int touchline_multicast_join(int fd, const char *group, const char *source, uint32_t interface);
/// Blocks one source of a group that is joined from any source.
int touchline_multicast_block(int fd, const char *group, const char *source, uint32_t interface);
/// Leaves the group with all its sources. The interface may be gone.
int touchline_multicast_leave(int fd, const char *group, uint32_t interface);
int touchline_multicast_leave_source(int fd, const char *group, const char *source, uint32_t interface);
/// Makes `old` refer to the socket of `fd` (dup3), also for a thread that reads from `old`.
int touchline_replace(int fd, int old);
int touchline_udp_connect(const char *address, uint16_t port, uint32_t interface, int ttl);
/// Why a packet was not delivered.
struct touchline_delivery_problem {
    /// An errno value.
    int32_t error;
    /// Whether a host or a router reports it by ICMP. Otherwise it is the word of this machine's kernel.
    uint8_t is_reported;
    /// Of the ICMP message.
    uint8_t type, code;
    uint8_t padding;
    /// Family 0 if unknown; the port is none.
    struct touchline_peer reporter;
};
/// Opens a non-blocking socket for echo requests of ICMP, or of ICMPv6. It needs no right where the group of the process is
/// in net.ipv4.ping_group_range, and fails with EACCES elsewhere.
int touchline_echo_socket(int is_six);
/// Directs its requests to `peer`, whose port is 0.
int touchline_echo_connect(int fd, const struct touchline_peer *peer);
/// Takes a problem from the error queue: `bytes` are the request that it concerns, from its ICMP header on. Returns their
/// count, or -1 with errno; EAGAIN: there is none.
ssize_t touchline_echo_problem(int fd, void *bytes, size_t octets, struct touchline_delivery_problem *problem);
/// Takes the error that the next call on the socket would fail with. Returns an errno value, 0 if there is none, or -1.
int touchline_pending_error(int fd);
/// Opens a non-blocking datagram socket that answers or asks: bound to `own`, which no other socket has, or connected to
/// `peer` if `own` is NULL. What it receives is stamped, and what it sends if that is asked for.
int touchline_udp_exchange(const struct touchline_peer *own, const struct touchline_peer *peer, int receive_octets);
/// Sends to `peer`, or to the connected peer if that is NULL. With `is_stamped` the kernel is asked when the datagram left;
/// stamped ones of a socket are numbered from 0.
ssize_t touchline_send_to(
    int fd, const void *bytes, size_t octets, const struct touchline_peer *peer, int is_stamped);
/// Takes the stamp of one sent datagram from the error queue: its number and the instant by CLOCK_REALTIME, in ns. Returns
/// 1, 0 when none is there, -1 with errno.
int touchline_send_stamp(int fd, uint32_t *number, int64_t *nanoseconds);
/// Lets numbers begin with 0 again.
int touchline_restart_send_stamps(int fd);
/// The local address and port of a socket.
int touchline_own_peer(int fd, struct touchline_peer *peer);
int touchline_set_receive_timeout(int fd, int milliseconds);
ssize_t touchline_send(int fd, const void *bytes, size_t octets);
int touchline_is_multicast(const char *address);
uint32_t touchline_interface_index(const char *name);
int touchline_address_text(const struct touchline_datagram *datagram, char *text, int octets);
/// Writes the local address of a connected socket as text.
int touchline_own_address(int fd, char *text, int octets);
/// An instruction of the classic packet filter, as linux/filter.h has it.
struct touchline_filter_step {
    uint16_t code;
    uint8_t when_true, when_false;
    uint32_t constant;
};
/// A frame that was received.
struct touchline_frame {
    /// By CLOCK_REALTIME, in ns; valid if `has_stamp` is set.
    int64_t stamp_nanoseconds;
    uint8_t has_stamp;
    uint8_t padding[3];
    /// Octets received, and those that the whole frame had.
    uint32_t octets, length;
};
/// Opens a non-blocking packet socket that hears nothing yet. It needs CAP_NET_RAW.
int touchline_packet_socket(void);
int touchline_packet_filter(int fd, const struct touchline_filter_step *steps, int count);
/// Lets it hear all frames of an interface. Returns the type of its link (ARPHRD_…), or -1 with errno.
int touchline_packet_bind(int fd, const char *interface, int receive_octets);
/// Takes one frame, without waiting. Returns 0, or -1 with errno.
int touchline_packet_receive(int fd, void *bytes, size_t octets, struct touchline_frame *frame);
/// How many frames the kernel has dropped since the last call, because nobody took those before them; -1 with errno.
int64_t touchline_packet_drops(int fd);
