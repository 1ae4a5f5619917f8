// SPDX-License-Identifier: Apache-2.0

/// How a picture lies in memory that devices share (dma-buf). Descriptors stay their owner's.
struct SharedPicture: Hashable, Sendable {
    struct Plane: Hashable, Sendable {
        var descriptor: Int32
        /// Octets from the memory's beginning.
        var offset: UInt32
        /// Octets from a row to the next.
        var pitch: UInt32
    }

    var width: Int
    var height: Int
    /// A code of `drm_fourcc.h`.
    var fourCC: UInt32
    /// How pixels lie, likewise; 0: row by row; nil: as the memory's maker and the device know between them.
    var modifier: UInt64?
    /// At most 4.
    var planes: [Plane]

    /// `XR24 1920x1080`, and its modifier.
    var summary: String {
        let name = withUnsafeBytes(of: fourCC.littleEndian) { String(decoding: $0, as: UTF8.self) }
        return "\(name) \(width)x\(height)" + (modifier.map { " 0x" + String($0, radix: 16) } ?? "")
    }
}
