// SPDX-License-Identifier: Apache-2.0
// EGL and OpenGL ES 3.0, opened when they are asked for: a box without a GPU starts without libEGL.
#pragma once
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#define EGL_EGL_PROTOTYPES 0
#define GL_GLES_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#define TOUCHLINE_EGL_CALLS(CALL) \
    CALL(eglBindAPI, PFNEGLBINDAPIPROC) \
    CALL(eglCreateContext, PFNEGLCREATECONTEXTPROC) \
    CALL(eglDestroyContext, PFNEGLDESTROYCONTEXTPROC) \
    CALL(eglGetError, PFNEGLGETERRORPROC) \
    CALL(eglGetPlatformDisplay, PFNEGLGETPLATFORMDISPLAYPROC) \
    CALL(eglInitialize, PFNEGLINITIALIZEPROC) \
    CALL(eglMakeCurrent, PFNEGLMAKECURRENTPROC) \
    CALL(eglQueryString, PFNEGLQUERYSTRINGPROC)

#define TOUCHLINE_GLES_CALLS(CALL) \
    CALL(glActiveTexture, PFNGLACTIVETEXTUREPROC) \
    CALL(glAttachShader, PFNGLATTACHSHADERPROC) \
    CALL(glBindFramebuffer, PFNGLBINDFRAMEBUFFERPROC) \
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
    CALL(glDeleteShader, PFNGLDELETESHADERPROC) \
    CALL(glDeleteTextures, PFNGLDELETETEXTURESPROC) \
    CALL(glDisable, PFNGLDISABLEPROC) \
    CALL(glDrawArrays, PFNGLDRAWARRAYSPROC) \
    CALL(glEnable, PFNGLENABLEPROC) \
    CALL(glFramebufferTexture2D, PFNGLFRAMEBUFFERTEXTURE2DPROC) \
    CALL(glGenFramebuffers, PFNGLGENFRAMEBUFFERSPROC) \
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

/// Every one is there once `touchline_gles_load` returned NULL.
struct touchline_gles {
#define TOUCHLINE_FIELD(name, type) type name;
    TOUCHLINE_EGL_CALLS(TOUCHLINE_FIELD)
    TOUCHLINE_GLES_CALLS(TOUCHLINE_FIELD)
#undef TOUCHLINE_FIELD
};

/// The name of what is missing: the library's or a function's. The library stays open until the process ends.
const char *touchline_gles_load(struct touchline_gles *calls);
