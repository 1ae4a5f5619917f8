// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import: macros, variadic functions, functions that need _GNU_SOURCE or <malloc.h>.
#pragma once
#include <stdint.h>
#include <sys/types.h>

int touchline_set_thread_name(const char *name);
/// Schedules the calling thread with SCHED_RR; threads and processes that it makes do not inherit that.
int touchline_run_in_real_time(int priority);
/// Limits how long a real-time thread of this process may run without blocking (RLIMIT_RTTIME). A lower limit is kept.
int touchline_limit_real_time(int seconds);
/// Sets the nice value of the calling thread.
int touchline_set_niceness(int niceness);
int touchline_epoll_create(void);
int touchline_epoll_add(int epoll, int fd, uint32_t events, uint64_t data);
int touchline_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data);
int touchline_epoll_remove(int epoll, int fd);
/// Fills `data` and `events` for up to `count` ready descriptors, at most 64, and returns their number.
int touchline_epoll_wait(int epoll, uint64_t *data, uint32_t *events, int count, int milliseconds);
int touchline_event_fd(void);
int touchline_signal_fd(const int *signals, int count);
/// Returns the number of the next pending signal, 0 when none is pending, -1 with errno.
int touchline_signal_read(int fd);
/// Gives unused pages of the heap back to the kernel.
void touchline_trim_heap(void);
/// Lets each block of at least so many octets be a mapping of its own, for good. Returns 0 if that is refused.
int touchline_map_blocks(int octets);
/// Lets malloc make no more than so many arenas, which threads share. Returns 0 if that is refused.
int touchline_limit_arenas(int count);
ssize_t touchline_random(void *target, size_t octets);
int touchline_open(const char *path, int flags, mode_t mode);
/// Connects a datagram socket to a Unix address; a leading '@' means the abstract namespace.
int touchline_unix_datagram(const char *path);
int touchline_accept(int listener);
/// Who connected to this Unix socket. Returns the number of supplementary groups, of which `groups` takes up to `count`; 0
/// if there are more, or the kernel does not tell them.
int touchline_peer(int fd, uint32_t *user, uint32_t *group, uint32_t *groups, int count);
ssize_t touchline_send_text(int fd, const char *text);
int touchline_error_text(int code, char *text, size_t octets);
/// Writes the first IPv4 address of the interface as text, or of any interface but loopback if the name is empty.
/// Returns 1, 0 when there is none, -1 with errno.
int touchline_first_address(const char *interface, char *text, int octets);
int touchline_terminal_size(int fd, uint16_t *columns, uint16_t *rows);
/// Starts this process's program with these arguments, the first of them its name.
/// further: NAME=VALUE for its environment, beside that of this process.
/// input: -1 if it reads nothing, otherwise it has the standard input of this process.
/// output, error: descriptors that become its standard output and error; -1: those of this process.
/// Returns 0 or an errno value.
int touchline_spawn_self(
    char *const *words, char *const *further, int input, int output, int error, pid_t *child);
/// Starts a program of the system with these arguments, the first of them its name, and with a small fixed environment. It
/// reads from `input`, which is not moved to another number; -1: it reads nothing. It writes to `output`; -1: where this
/// process writes. Its messages go where this process's go. Returns 0 or an errno value.
int touchline_spawn(const char *path, char *const *words, int input, int output, pid_t *child);
/// Makes a pipe whose ends programs that are started do not inherit.
int touchline_pipe(int *read_end, int *write_end);
/// The number of the user with this name; -1 if there is none.
int64_t touchline_user_number(const char *name);
/// The offset that the kernel's clock still has to make up for and the bound of its error, both in nanoseconds. Returns
/// whether the clock is synchronised, -1 with errno.
int touchline_clock_state(int64_t *offset, int64_t *bound);
/// Switches the terminal to input key by key without echo; output is unchanged. A crash of the process undoes this and
/// writes `ending`, which must stay valid.
int touchline_terminal_take(int fd, const char *ending);
/// Writes the ending and restores the terminal; does nothing when it was not taken.
void touchline_terminal_release(void);
/// Opens a non-blocking netlink socket that is in these of the protocol's first 32 groups.
int touchline_netlink_open(int protocol, uint32_t groups);
/// Joins one group, by its number.
int touchline_netlink_join(int fd, uint32_t group);
/// Receives one datagram of the kernel and returns its octets. Returns 0 for a datagram of another program, which is
/// dropped; -1 with errno, ENOBUFS if messages were lost, EMSGSIZE if the datagram was cut.
ssize_t touchline_netlink_receive(int fd, void *bytes, size_t octets);
/// Opens a non-blocking socket that receives the kernel's uevents.
int touchline_uevent_open(int receive_octets);
/// Receives one datagram of the kernel and returns its octets. Returns 0 for a datagram of another program, which is
/// dropped; -1 with errno, ENOBUFS if messages were lost, EMSGSIZE if the datagram was cut.
ssize_t touchline_uevent_receive(int fd, void *bytes, size_t octets);
/// Sends octets and a descriptor with them. Returns how many octets were sent, or -1 with errno.
ssize_t touchline_send_descriptor(int fd, const void *bytes, size_t octets, int passed);
/// Receives octets, and a descriptor if exactly one comes with them, otherwise -1 in `passed`; more are closed. Returns how
/// many octets came, or -1 with errno.
ssize_t touchline_receive_descriptor(int fd, void *bytes, size_t octets, int *passed);
