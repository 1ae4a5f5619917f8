// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import: macros, variadics, calls behind _GNU_SOURCE or in <malloc.h>. One line each.
#pragma once
#include <stdint.h>
#include <sys/types.h>

int touchline_set_thread_name(const char *name);
/// Of the calling thread, not of those that it makes.
int touchline_run_in_real_time(int priority);
/// How long a thread of this process may run in real time without waiting.
int touchline_limit_real_time(int seconds);
/// Of the calling thread.
int touchline_set_niceness(int niceness);
int touchline_epoll_create(void);
int touchline_epoll_add(int epoll, int fd, uint32_t events, uint64_t data);
int touchline_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data);
int touchline_epoll_remove(int epoll, int fd);
/// Fills `data` and `events` with up to `count` ready descriptors.
int touchline_epoll_wait(int epoll, uint64_t *data, uint32_t *events, int count, int milliseconds);
int touchline_event_fd(void);
int touchline_signal_fd(const int *signals, int count);
/// The next signal's number, 0 when none waits, -1 with errno.
int touchline_signal_read(int fd);
/// Gives pages of the heap that hold nothing back to the kernel.
void touchline_trim_heap(void);
ssize_t touchline_random(void *target, size_t octets);
int touchline_open(const char *path, int flags, mode_t mode);
/// Connects a datagram socket to a Unix address; '@' in front means abstract.
int touchline_unix_datagram(const char *path);
int touchline_accept(int listener);
ssize_t touchline_send_text(int fd, const char *text);
int touchline_error_text(int code, char *text, size_t octets);
/// Writes the address as text: "192.0.2.1" or "fe80::1". 0 when the interface has none.
int touchline_first_address(const char *interface, char *text, int octets);
int touchline_terminal_size(int fd, uint16_t *columns, uint16_t *rows);
/// Ctrl-C interrupts a read from here on, and no more; programs that are started have it as usual.
void touchline_take_interrupts(void);
/// Starts this process's program with these words, the first of them its name. An error's code, or 0.
int touchline_spawn_self(char *const *words, pid_t *child);
/// Input key by key and unseen, output as it is. A crash of the process undoes it and writes `ending`, which stays.
int touchline_terminal_take(int fd, const char *ending);
/// Undoes it and writes the ending; nothing when it was not taken.
void touchline_terminal_release(void);
/// A socket that hears the kernel's uevents and never waits.
int touchline_uevent_open(int receive_octets);
/// Octets of one datagram of the kernel; 0: another program's, which is dropped. -1 with errno: ENOBUFS where something
/// was lost, EMSGSIZE where the datagram was cut.
ssize_t touchline_uevent_receive(int fd, void *bytes, size_t octets);
