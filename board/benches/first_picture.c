// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD into ffplay: says on stderr when the first picture that was drawn has been presented.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static int drawn, said;

int SDL_RenderCopyEx(void *renderer, void *texture, void *source, void *target, double angle, void *centre, int flip) {
    int (*next)(void *, void *, void *, void *, double, void *, int) = dlsym(RTLD_NEXT, "SDL_RenderCopyEx");
    drawn = 1;
    return next(renderer, texture, source, target, angle, centre, flip);
}

void SDL_RenderPresent(void *renderer) {
    void (*next)(void *) = dlsym(RTLD_NEXT, "SDL_RenderPresent");
    next(renderer);
    if (!drawn || said) return;
    said = 1;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    fprintf(stderr, "\nfirst picture at %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
}
