// SPDX-License-Identifier: Apache-2.0
#include "CGLESShims.h"

#include <dlfcn.h>
#include <stddef.h>

static const char library[] = "libEGL.so.1";

const char *touchline_gles_load(struct touchline_gles *calls) {
    void *egl = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (egl == NULL) return library;
    PFNEGLGETPROCADDRESSPROC address = (PFNEGLGETPROCADDRESSPROC)dlsym(egl, "eglGetProcAddress");
    if (address == NULL) return "eglGetProcAddress";
#define TOUCHLINE_LOAD_EGL(name, type) \
    if ((calls->name = (type)dlsym(egl, #name)) == NULL) return #name;
    TOUCHLINE_EGL_CALLS(TOUCHLINE_LOAD_EGL)
    // EGL 1.5, section 3.12: eglGetProcAddress finds all functions of OpenGL ES, not only those of extensions.
#define TOUCHLINE_LOAD_GLES(name, type) \
    if ((calls->name = (type)address(#name)) == NULL) return #name;
    TOUCHLINE_GLES_CALLS(TOUCHLINE_LOAD_GLES)
#define TOUCHLINE_LOAD_EXTENSION(name, type) calls->name = (type)address(#name);
    TOUCHLINE_EXTENSION_CALLS(TOUCHLINE_LOAD_EXTENSION)
    return NULL;
}

static const char memory_library[] = "libgbm.so.1";

const char *touchline_gbm_load(struct touchline_gbm *calls) {
    void *gbm = dlopen(memory_library, RTLD_NOW | RTLD_LOCAL);
    if (gbm == NULL) return memory_library;
#define TOUCHLINE_LOAD_GBM(result, name, arguments) \
    if ((calls->name = (__typeof__(calls->name))dlsym(gbm, #name)) == NULL) return #name;
    TOUCHLINE_GBM_CALLS(TOUCHLINE_LOAD_GBM)
    return NULL;
}
