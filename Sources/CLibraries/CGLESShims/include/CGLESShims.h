// SPDX-License-Identifier: Apache-2.0
// EGL, OpenGL ES 3.0 and GBM. Their libraries are opened by `touchline_gles_load` and `touchline_gbm_load`, so that a
// box without a GPU starts without libEGL and libgbm.
#pragma once
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#define EGL_EGL_PROTOTYPES 0
#define GL_GLES_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
// gl2ext.h needs gl3.h before it; only its types are used.
#include <GLES2/gl2ext.h>
#include <stdint.h>

#define TOUCHLINE_EGL_CALLS(CALL) \
    CALL(eglBindAPI, PFNEGLBINDAPIPROC) \
    CALL(eglCreateContext, PFNEGLCREATECONTEXTPROC) \
    CALL(eglDestroyContext, PFNEGLDESTROYCONTEXTPROC) \
    CALL(eglGetError, PFNEGLGETERRORPROC) \
    CALL(eglGetPlatformDisplay, PFNEGLGETPLATFORMDISPLAYPROC) \
    CALL(eglInitialize, PFNEGLINITIALIZEPROC) \
    CALL(eglMakeCurrent, PFNEGLMAKECURRENTPROC) \
    CALL(eglQueryString, PFNEGLQUERYSTRINGPROC) \
    CALL(eglTerminate, PFNEGLTERMINATEPROC)

/// Functions of extensions. A non-null address does not mean that the extension exists: only the display's list of
/// extensions tells.
#define TOUCHLINE_EXTENSION_CALLS(CALL) \
    CALL(eglCreateImageKHR, PFNEGLCREATEIMAGEKHRPROC) \
    CALL(eglCreateSyncKHR, PFNEGLCREATESYNCKHRPROC) \
    CALL(eglDestroyImageKHR, PFNEGLDESTROYIMAGEKHRPROC) \
    CALL(eglDestroySyncKHR, PFNEGLDESTROYSYNCKHRPROC) \
    CALL(eglDupNativeFenceFDANDROID, PFNEGLDUPNATIVEFENCEFDANDROIDPROC) \
    CALL(eglQueryDmaBufModifiersEXT, PFNEGLQUERYDMABUFMODIFIERSEXTPROC) \
    CALL(glEGLImageTargetRenderbufferStorageOES, PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC) \
    CALL(glEGLImageTargetTexture2DOES, PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)

#define TOUCHLINE_GLES_CALLS(CALL) \
    CALL(glActiveTexture, PFNGLACTIVETEXTUREPROC) \
    CALL(glAttachShader, PFNGLATTACHSHADERPROC) \
    CALL(glBindFramebuffer, PFNGLBINDFRAMEBUFFERPROC) \
    CALL(glBindRenderbuffer, PFNGLBINDRENDERBUFFERPROC) \
    CALL(glBindTexture, PFNGLBINDTEXTUREPROC) \
    CALL(glBlendFunc, PFNGLBLENDFUNCPROC) \
    CALL(glCheckFramebufferStatus, PFNGLCHECKFRAMEBUFFERSTATUSPROC) \
    CALL(glClear, PFNGLCLEARPROC) \
    CALL(glClearColor, PFNGLCLEARCOLORPROC) \
    CALL(glCompileShader, PFNGLCOMPILESHADERPROC) \
    CALL(glCopyTexSubImage2D, PFNGLCOPYTEXSUBIMAGE2DPROC) \
    CALL(glCreateProgram, PFNGLCREATEPROGRAMPROC) \
    CALL(glCreateShader, PFNGLCREATESHADERPROC) \
    CALL(glDeleteFramebuffers, PFNGLDELETEFRAMEBUFFERSPROC) \
    CALL(glDeleteProgram, PFNGLDELETEPROGRAMPROC) \
    CALL(glDeleteRenderbuffers, PFNGLDELETERENDERBUFFERSPROC) \
    CALL(glDeleteShader, PFNGLDELETESHADERPROC) \
    CALL(glDeleteTextures, PFNGLDELETETEXTURESPROC) \
    CALL(glDisable, PFNGLDISABLEPROC) \
    CALL(glDrawArrays, PFNGLDRAWARRAYSPROC) \
    CALL(glEnable, PFNGLENABLEPROC) \
    CALL(glFinish, PFNGLFINISHPROC) \
    CALL(glFlush, PFNGLFLUSHPROC) \
    CALL(glFramebufferRenderbuffer, PFNGLFRAMEBUFFERRENDERBUFFERPROC) \
    CALL(glFramebufferTexture2D, PFNGLFRAMEBUFFERTEXTURE2DPROC) \
    CALL(glGenFramebuffers, PFNGLGENFRAMEBUFFERSPROC) \
    CALL(glGenRenderbuffers, PFNGLGENRENDERBUFFERSPROC) \
    CALL(glGenTextures, PFNGLGENTEXTURESPROC) \
    CALL(glGetError, PFNGLGETERRORPROC) \
    CALL(glGetIntegerv, PFNGLGETINTEGERVPROC) \
    CALL(glGetProgramInfoLog, PFNGLGETPROGRAMINFOLOGPROC) \
    CALL(glGetProgramiv, PFNGLGETPROGRAMIVPROC) \
    CALL(glGetShaderInfoLog, PFNGLGETSHADERINFOLOGPROC) \
    CALL(glGetShaderiv, PFNGLGETSHADERIVPROC) \
    CALL(glGetString, PFNGLGETSTRINGPROC) \
    CALL(glGetUniformLocation, PFNGLGETUNIFORMLOCATIONPROC) \
    CALL(glLinkProgram, PFNGLLINKPROGRAMPROC) \
    CALL(glPixelStorei, PFNGLPIXELSTOREIPROC) \
    CALL(glReadPixels, PFNGLREADPIXELSPROC) \
    CALL(glScissor, PFNGLSCISSORPROC) \
    CALL(glShaderSource, PFNGLSHADERSOURCEPROC) \
    CALL(glTexParameteri, PFNGLTEXPARAMETERIPROC) \
    CALL(glTexStorage2D, PFNGLTEXSTORAGE2DPROC) \
    CALL(glTexSubImage2D, PFNGLTEXSUBIMAGE2DPROC) \
    CALL(glUniform1f, PFNGLUNIFORM1FPROC) \
    CALL(glUniform1i, PFNGLUNIFORM1IPROC) \
    CALL(glUniform2f, PFNGLUNIFORM2FPROC) \
    CALL(glUniform2i, PFNGLUNIFORM2IPROC) \
    CALL(glUniform3f, PFNGLUNIFORM3FPROC) \
    CALL(glUniform4f, PFNGLUNIFORM4FPROC) \
    CALL(glUniform4i, PFNGLUNIFORM4IPROC) \
    CALL(glUseProgram, PFNGLUSEPROGRAMPROC) \
    CALL(glViewport, PFNGLVIEWPORTPROC)

/// Functions of EGL and OpenGL ES. Those of EGL 1.5 and OpenGL ES 3.0 are not NULL once `touchline_gles_load` has
/// returned NULL.
struct touchline_gles {
#define TOUCHLINE_FIELD(name, type) type name;
    TOUCHLINE_EGL_CALLS(TOUCHLINE_FIELD)
    TOUCHLINE_GLES_CALLS(TOUCHLINE_FIELD)
    TOUCHLINE_EXTENSION_CALLS(TOUCHLINE_FIELD)
#undef TOUCHLINE_FIELD
};

/// Returns NULL on success, else the name of the library or function that is missing. The library stays open until the
/// process ends.
const char *touchline_gles_load(struct touchline_gles *calls);

/// The part of libgbm that is used, declared as in gbm.h. So the build does not need libgbm's package for one header.
struct gbm_device;
struct gbm_bo;
union gbm_bo_handle {
    void *ptr;
    int32_t s32;
    uint32_t u32;
    int64_t s64;
    uint64_t u64;
};
static const uint32_t touchline_gbm_scanout = 1 << 0, touchline_gbm_rendering = 1 << 2, touchline_gbm_linear = 1 << 4;

#define TOUCHLINE_GBM_CALLS(CALL) \
    CALL(struct gbm_device *, gbm_create_device, (int descriptor)) \
    CALL(void, gbm_device_destroy, (struct gbm_device *)) \
    CALL(struct gbm_bo *, gbm_bo_create, \
        (struct gbm_device *, uint32_t width, uint32_t height, uint32_t format, uint32_t usage)) \
    CALL(struct gbm_bo *, gbm_bo_create_with_modifiers2, \
        (struct gbm_device *, uint32_t width, uint32_t height, uint32_t format, const uint64_t *modifiers, \
            const unsigned int count, uint32_t usage)) \
    CALL(void, gbm_bo_destroy, (struct gbm_bo *)) \
    CALL(int, gbm_bo_get_plane_count, (struct gbm_bo *)) \
    CALL(int, gbm_bo_get_fd_for_plane, (struct gbm_bo *, int plane)) \
    CALL(union gbm_bo_handle, gbm_bo_get_handle_for_plane, (struct gbm_bo *, int plane)) \
    CALL(uint32_t, gbm_bo_get_stride_for_plane, (struct gbm_bo *, int plane)) \
    CALL(uint32_t, gbm_bo_get_offset, (struct gbm_bo *, int plane)) \
    CALL(uint64_t, gbm_bo_get_modifier, (struct gbm_bo *))

/// Functions of libgbm; none is NULL once `touchline_gbm_load` has returned NULL.
struct touchline_gbm {
#define TOUCHLINE_FIELD(result, name, arguments) result (*name) arguments;
    TOUCHLINE_GBM_CALLS(TOUCHLINE_FIELD)
#undef TOUCHLINE_FIELD
};

/// Returns the same as `touchline_gles_load`.
const char *touchline_gbm_load(struct touchline_gbm *calls);
