// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import System

extension GLESContext {
    /// Whether this context can make fences that a card can wait for.
    var hasFences: Bool { display.extensions.contains("EGL_ANDROID_native_fence_sync") }

    /// A fence that is signalled when everything drawn so far is done; nil if none can be made.
    func makeFence() -> FileDescriptor? {
        guard hasFences,
            let sync = calls.eglCreateSyncKHR(display.handle, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), [EGL_NONE])
        else { return nil }
        calls.glFlush()  // the descriptor exists only after it
        let made = calls.eglDupNativeFenceFDANDROID(display.handle, sync)
        _ = calls.eglDestroySyncKHR(display.handle, sync)
        return made >= 0 ? FileDescriptor(adopting: made) : nil
    }
}
