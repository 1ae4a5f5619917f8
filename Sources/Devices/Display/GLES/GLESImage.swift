// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene

/// A dma-buf as an image of OpenGL ES (EGL_EXT_image_dma_buf_import).
final class GLESImage {
    let size: PixelSize
    let handle: EGLImageKHR
    private let display: GLESDisplay

    /// Imports the memory; the caller keeps the descriptors.
    /// - Throws: `missing` if EGL cannot import memory, `egl` if the driver refuses this memory.
    init(_ memory: SharedPicture, on display: GLESDisplay) throws(DisplayError) {
        let name = "EGL_EXT_image_dma_buf_import"
        guard display.extensions.contains(name) else { throw .missing(name) }
        var attributes = [
            EGL_WIDTH, EGLint(memory.width), EGL_HEIGHT, EGLint(memory.height), EGL_LINUX_DRM_FOURCC_EXT,
            EGLint(bitPattern: memory.fourCC),
        ]
        let takesModifiers = display.extensions.contains("EGL_EXT_image_dma_buf_import_modifiers")
        if let modifier = memory.modifier, modifier != 0, !takesModifiers {
            throw .missing("EGL_EXT_image_dma_buf_import_modifiers")
        }
        for (plane, names) in zip(memory.planes, Self.names) {
            attributes += [
                names.descriptor, plane.descriptor, names.offset, EGLint(bitPattern: plane.offset), names.pitch,
                EGLint(bitPattern: plane.pitch),
            ]
            guard takesModifiers, let modifier = memory.modifier else { continue }
            attributes += [
                names.low, EGLint(truncatingIfNeeded: modifier), names.high, EGLint(truncatingIfNeeded: modifier >> 32),
            ]
        }
        attributes.append(EGL_NONE)
        let target = EGLenum(EGL_LINUX_DMA_BUF_EXT)
        guard let made = display.calls.eglCreateImageKHR(display.handle, nil, target, nil, attributes) else {
            throw .egl("eglCreateImage \(memory.summary)", code: display.calls.eglGetError())
        }
        size = PixelSize(width: memory.width, height: memory.height)
        self.display = display
        handle = made
    }

    deinit { _ = display.calls.eglDestroyImageKHR(display.handle, handle) }

    /// The names of a plane's attributes.
    private struct Names {
        let descriptor, offset, pitch, low, high: EGLint
    }

    private static let names = [
        Names(
            descriptor: EGL_DMA_BUF_PLANE0_FD_EXT, offset: EGL_DMA_BUF_PLANE0_OFFSET_EXT,
            pitch: EGL_DMA_BUF_PLANE0_PITCH_EXT, low: EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
            high: EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT),
        Names(
            descriptor: EGL_DMA_BUF_PLANE1_FD_EXT, offset: EGL_DMA_BUF_PLANE1_OFFSET_EXT,
            pitch: EGL_DMA_BUF_PLANE1_PITCH_EXT, low: EGL_DMA_BUF_PLANE1_MODIFIER_LO_EXT,
            high: EGL_DMA_BUF_PLANE1_MODIFIER_HI_EXT),
        Names(
            descriptor: EGL_DMA_BUF_PLANE2_FD_EXT, offset: EGL_DMA_BUF_PLANE2_OFFSET_EXT,
            pitch: EGL_DMA_BUF_PLANE2_PITCH_EXT, low: EGL_DMA_BUF_PLANE2_MODIFIER_LO_EXT,
            high: EGL_DMA_BUF_PLANE2_MODIFIER_HI_EXT),
        Names(
            descriptor: EGL_DMA_BUF_PLANE3_FD_EXT, offset: EGL_DMA_BUF_PLANE3_OFFSET_EXT,
            pitch: EGL_DMA_BUF_PLANE3_PITCH_EXT, low: EGL_DMA_BUF_PLANE3_MODIFIER_LO_EXT,
            high: EGL_DMA_BUF_PLANE3_MODIFIER_HI_EXT),
    ]
}
