// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSystemShims.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

int touchline_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }

int touchline_clock_state(int64_t *offset, int64_t *bound) {
    struct timex clock = {.modes = 0};
    if (adjtimex(&clock) < 0) return -1;
    *offset = (int64_t)clock.offset * (clock.status & STA_NANO ? 1 : 1000);
    *bound = (int64_t)clock.maxerror * 1000;
    return !(clock.status & STA_UNSYNC);
}

int touchline_run_in_real_time(int priority) {
    const struct sched_param parameters = {.sched_priority = priority};
    return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameters);
}

int touchline_limit_real_time(int seconds) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) < 0) return -1;
    const rlim_t wanted = (rlim_t)seconds * 1000000;
    if (limit.rlim_cur <= wanted) return 0;
    limit.rlim_cur = wanted;
    return setrlimit(RLIMIT_RTTIME, &limit);
}

int touchline_set_niceness(int niceness) { return setpriority(PRIO_PROCESS, 0, niceness); }

// Starts a program with the signals' default actions, none of them blocked, and nothing to read.
// output, error: descriptors that become its standard output and error; -1: those of this process.
static int spawn(
    const char *path, char *const *words, char *const *environment, int input, int output, int error, pid_t *child) {
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    if (input < 0) code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!code && output >= 0) code = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!code && error >= 0) code = posix_spawn_file_actions_adddup2(&actions, error, 2);
    posix_spawnattr_t attributes;
    if (!code) code = posix_spawnattr_init(&attributes);
    if (!code) {
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        code = posix_spawn(child, path, &actions, &attributes, words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int touchline_spawn_self(
    char *const *words, char *const *further, int input, int output, int error, pid_t *child) {
    size_t own = 0, more = 0;
    while (environ[own]) own++;
    while (further[more]) more++;
    char **environment = malloc((own + more + 1) * sizeof *environment);
    if (!environment) return ENOMEM;
    // Of two with the same name, getenv finds the first.
    memcpy(environment, further, more * sizeof *environment);
    memcpy(environment + more, environ, (own + 1) * sizeof *environment);
    int code = spawn("/proc/self/exe", words, environment, input, output, error, child);
    free(environment);
    return code;
}

int touchline_spawn(const char *path, char *const *words, int input, int output, pid_t *child) {
    static char *const environment[] = {
        (char *)"PATH=/usr/sbin:/usr/bin:/sbin:/bin", (char *)"LC_ALL=C", (char *)"SYSTEMD_COLORS=0",
        (char *)"SYSTEMD_PAGER=", NULL,
    };
    return spawn(path, words, environment, input, output, -1, child);
}

int touchline_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

int64_t touchline_user_number(const char *name) {
    struct passwd entry, *found = NULL;
    char text[4096];
    return getpwnam_r(name, &entry, text, sizeof text, &found) == 0 && found ? (int64_t)found->pw_uid : -1;
}

int touchline_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, operation, fd, &event);
}

int touchline_epoll_add(int epoll, int fd, uint32_t events, uint64_t data) {
    return control(epoll, EPOLL_CTL_ADD, fd, events, data);
}

int touchline_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data) {
    return control(epoll, EPOLL_CTL_MOD, fd, events, data);
}

int touchline_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int touchline_epoll_wait(int epoll, uint64_t *data, uint32_t *events, int count, int milliseconds) {
    struct epoll_event ready[64];
    int found = epoll_wait(epoll, ready, count < 64 ? count : 64, milliseconds);
    for (int i = 0; i < found; i++) {
        data[i] = ready[i].data.u64;
        events[i] = ready[i].events;
    }
    return found;
}

int touchline_event_fd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int touchline_signal_fd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (error) {
        errno = error;
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int touchline_signal_read(int fd) {
    struct signalfd_siginfo info;
    ssize_t octets = read(fd, &info, sizeof info);
    if (octets == (ssize_t)sizeof info) return (int)info.ssi_signo;
    return octets < 0 && errno != EAGAIN ? -1 : 0;
}

void touchline_trim_heap(void) { malloc_trim(0); }
int touchline_map_blocks(int octets) { return mallopt(M_MMAP_THRESHOLD, octets); }
int touchline_limit_arenas(int count) { return mallopt(M_ARENA_MAX, count); }

ssize_t touchline_random(void *target, size_t octets) { return getrandom(target, octets, 0); }

int touchline_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

int touchline_unix_datagram(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) < 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int touchline_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

ssize_t touchline_send_text(int fd, const char *text) { return send(fd, text, strlen(text), MSG_NOSIGNAL); }

int touchline_error_text(int code, char *text, size_t octets) {
    const char *found = strerror_r(code, text, octets);
    if (found != text) {
        strncpy(text, found, octets - 1);
        text[octets - 1] = 0;
    }
    return 0;
}

int touchline_first_address(const char *interface, char *text, int octets) {
    struct ifaddrs *all;
    if (getifaddrs(&all) < 0) return -1;
    int found = 0;
    for (struct ifaddrs *entry = all; entry && !found; entry = entry->ifa_next) {
        if (!entry->ifa_addr || entry->ifa_addr->sa_family != AF_INET) continue;
        if (interface[0] ? strcmp(entry->ifa_name, interface) != 0 : (entry->ifa_flags & IFF_LOOPBACK) != 0) continue;
        const struct sockaddr_in *address = (const struct sockaddr_in *)(const void *)entry->ifa_addr;
        if (inet_ntop(AF_INET, &address->sin_addr, text, (socklen_t)octets)) found = 1;
    }
    freeifaddrs(all);
    return found;
}

int touchline_terminal_size(int fd, uint16_t *columns, uint16_t *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

static struct {
    int fd;
    struct termios before;
    const char *ending;
    volatile sig_atomic_t is_taken;
} terminal;

void touchline_terminal_release(void) {
    if (!terminal.is_taken) return;
    terminal.is_taken = 0;
    int error = errno;
    if (write(terminal.fd, terminal.ending, strlen(terminal.ending)) < 0) errno = 0;  // the terminal is gone
    tcsetattr(terminal.fd, TCSANOW, &terminal.before);
    errno = error;
}

// Signal handler: it calls async-signal-safe functions only.
static void crash(int number) {
    touchline_terminal_release();
    raise(number);  // SA_RESETHAND has restored the default action
}

int touchline_terminal_take(int fd, const char *ending) {
    if (terminal.is_taken || tcgetattr(fd, &terminal.before) < 0) return -1;
    terminal.fd = fd;
    terminal.ending = ending;
    const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        struct sigaction action = {.sa_handler = crash, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
        sigaction(crashes[i], &action, NULL);
    }
    struct termios taken = terminal.before;
    taken.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    // Noise on a serial line neither stops the output nor interrupts anybody; a break is a NUL.
    taken.c_iflag &= ~(tcflag_t)(IXON | ICRNL | BRKINT | PARMRK | ISTRIP);
    taken.c_cc[VMIN] = 1;
    taken.c_cc[VTIME] = 0;
    if (tcsetattr(fd, TCSANOW, &taken) < 0) return -1;
    terminal.is_taken = 1;
    return 0;
}

int touchline_netlink_open(int protocol, uint32_t groups) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (fd < 0) return -1;
    const struct sockaddr_nl own = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (bind(fd, (const struct sockaddr *)&own, sizeof own) == 0) return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

int touchline_netlink_join(int fd, uint32_t group) {
    return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group);
}

ssize_t touchline_netlink_receive(int fd, void *bytes, size_t octets) {
    struct sockaddr_nl sender = {0};
    struct iovec vector = {.iov_base = bytes, .iov_len = octets};
    struct msghdr header = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &vector, .msg_iovlen = 1};
    ssize_t count = recvmsg(fd, &header, MSG_DONTWAIT);
    if (count < 0) return -1;
    if (header.msg_flags & MSG_TRUNC) {
        errno = EMSGSIZE;
        return -1;
    }
    return sender.nl_pid == 0 ? count : 0;
}

enum { kernels_group = 1 };

int touchline_uevent_open(int receive_octets) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    if (fd < 0) return -1;
    // SO_RCVBUFFORCE may exceed rmem_max, but needs CAP_NET_ADMIN; SO_RCVBUF is capped.
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_octets, sizeof receive_octets) < 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_octets, sizeof receive_octets);
    const int on = 1;
    const struct sockaddr_nl own = {.nl_family = AF_NETLINK, .nl_groups = kernels_group};
    if (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 && bind(fd, (const struct sockaddr *)&own, sizeof own) == 0)
        return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

ssize_t touchline_uevent_receive(int fd, void *bytes, size_t octets) {
    struct sockaddr_nl sender = {0};
    struct iovec vector = {.iov_base = bytes, .iov_len = octets};
    union {
        struct cmsghdr header;
        char octets[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct msghdr header = {
        .msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &vector, .msg_iovlen = 1,
        .msg_control = &control, .msg_controllen = sizeof control,
    };
    ssize_t count = recvmsg(fd, &header, MSG_DONTWAIT);
    if (count < 0) return -1;
    // The kernel sends with port id 0 and process id 0. Programs of root may send to its group as well; theirs are
    // dropped.
    if (header.msg_namelen != sizeof sender || sender.nl_pid != 0 || !(sender.nl_groups & kernels_group)) return 0;
    struct cmsghdr *first = CMSG_FIRSTHDR(&header);
    if (!first || first->cmsg_level != SOL_SOCKET || first->cmsg_type != SCM_CREDENTIALS) return 0;
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(first), sizeof credentials);
    if (credentials.pid != 0) return 0;
    if (header.msg_flags & MSG_TRUNC) {
        errno = EMSGSIZE;
        return -1;
    }
    return count;
}

int touchline_peer(int fd, uint32_t *user, uint32_t *group, uint32_t *groups, int count) {
    struct ucred peer;
    socklen_t octets = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &octets) < 0) return -1;
    *user = peer.uid;
    *group = peer.gid;
    octets = (socklen_t)((size_t)count * sizeof *groups);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &octets) < 0) return 0;
    return (int)(octets / sizeof *groups);
}

ssize_t touchline_send_descriptor(int fd, const void *bytes, size_t octets, int passed) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof passed)] = {0};
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = octets};
    struct msghdr header = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof passed);
    memcpy(CMSG_DATA(part), &passed, sizeof passed);
    return sendmsg(fd, &header, MSG_NOSIGNAL);
}

ssize_t touchline_receive_descriptor(int fd, void *bytes, size_t octets, int *passed) {
    // The kernel passes at most 253 (SCM_MAX_FD); what does not fit here it closes by itself.
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(4 * sizeof *passed)];
    struct iovec vector = {.iov_base = bytes, .iov_len = octets};
    struct msghdr header = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    *passed = -1;
    ssize_t count = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
    if (count < 0) return -1;
    int found[4], number = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        number = (int)((part->cmsg_len - CMSG_LEN(0)) / sizeof *passed);
        if (number > 4) number = 4;
        memcpy(found, CMSG_DATA(part), (size_t)number * sizeof *passed);
    }
    if (number == 1) {
        *passed = found[0];
    } else {
        for (int i = 0; i < number; i++) close(found[i]);
    }
    return count;
}
