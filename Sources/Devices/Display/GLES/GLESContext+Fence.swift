// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import System

extension GLESContext {
    /// Whether a card can be told to wait for what is drawn.
    var hasFences: Bool { display.extensions.contains("EGL_ANDROID_native_fence_sync") }

    /// Signalled when everything is drawn that was asked for before; nil where none is to be had.
    func makeFence() -> FileDescriptor? {
        guard hasFences,
            let sync = calls.eglCreateSyncKHR(display.handle, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), [EGL_NONE])
        else { return nil }
        calls.glFlush()  // before it there is no descriptor
        let made = calls.eglDupNativeFenceFDANDROID(display.handle, sync)
        _ = calls.eglDestroySyncKHR(display.handle, sync)
        return made >= 0 ? FileDescriptor(adopting: made) : nil
    }
}
