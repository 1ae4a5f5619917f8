// SPDX-License-Identifier: Apache-2.0

/// A device's buffer as we see it: mapped and, of pictures, exported as dma-bufs. Unmapped and closed with the last who
/// holds it, which may be long after the decoder.
final class DeviceMemory: @unchecked Sendable {
    // Sendable: what is in it belongs to whom the buffer's turn it is, device or reader; the decoder sees to that.

    struct Plane {
        /// Of the dma-buf; nil: not exported.
        let descriptor: CInt?
        let bytes: UnsafeMutableRawBufferPointer
    }

    let planes: [Plane]
    private let release: @Sendable () -> Void

    /// - Parameter release: unmaps and closes, once.
    init(_ planes: [Plane], release: @escaping @Sendable () -> Void) {
        self.planes = planes
        self.release = release
    }

    deinit { release() }
}
