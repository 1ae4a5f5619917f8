// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <sys/ioctl.h>

/// Again while it is interrupted.
static inline int call(int fd, unsigned long request, void *argument) {
    int result;
    do result = ioctl(fd, request, argument);
    while (result < 0 && errno == EINTR);
    return result;
}
