// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <sys/ioctl.h>

/// ioctl that is repeated while a signal interrupts it.
static inline int call(int fd, unsigned long request, void *argument) {
    int result;
    do result = ioctl(fd, request, argument);
    while (result < 0 && errno == EINTR);
    return result;
}
