// SPDX-License-Identifier: Apache-2.0
internal import CV4L2Shims

/// A device's buffer as we access it: mapped, and exported as dma-bufs if it holds pictures. It is unmapped and closed
/// when its last reference is released, maybe long after the decoder.
final class DeviceMemory: @unchecked Sendable {
    // Sendable: only the current owner, device or reader, accesses the contents; the decoder ensures this.

    struct Plane {
        /// Descriptor of the dma-buf; nil if not exported.
        let descriptor: CInt?
        let bytes: UnsafeMutableRawBufferPointer
    }

    let planes: [Plane]
    private let release: @Sendable () -> Void

    /// - Parameter release: unmaps and closes; called once.
    init(_ planes: [Plane], release: @escaping @Sendable () -> Void) {
        self.planes = planes
        self.release = release
    }

    deinit { release() }

    /// Must precede any read by the processor of what a device wrote, because some machines' caches are not coherent.
    func beginReading() { synchronize(isEnd: 0) }
    func endReading() { synchronize(isEnd: 1) }

    private func synchronize(isEnd: CInt) {
        // A failure means that the memory needs no synchronisation; we could not read it in another way anyhow.
        for plane in planes { if let file = plane.descriptor { _ = touchline_dma_buf_sync(file, isEnd) } }
    }
}
