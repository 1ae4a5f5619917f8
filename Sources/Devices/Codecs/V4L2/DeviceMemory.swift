// SPDX-License-Identifier: Apache-2.0
internal import CV4L2Shims

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

    /// Before the processor reads what a device wrote: some machines' caches do not see that.
    func beginReading() { synchronize(isEnd: 0) }
    func endReading() { synchronize(isEnd: 1) }

    private func synchronize(isEnd: CInt) {
        // Memory that refuses needs it not; there is no other way to read it anyway.
        for plane in planes { if let file = plane.descriptor { _ = touchline_dma_buf_sync(file, isEnd) } }
    }
}
