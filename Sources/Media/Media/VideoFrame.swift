// SPDX-License-Identifier: Apache-2.0

/// A decoded picture in memory that its decoder lends: gone back to it when this value ends. Never copied.
public struct VideoFrame: ~Copyable, @unchecked Sendable {
    // Sendable: the planes are read-only once the frame is made, and `giveBack` may run on any thread.

    public enum PixelFormat: Sendable, Hashable {
        case yuv420p, yuv422p, yuv444p, nv12, yuv420p10, yuv422p10
        /// Planar with the full range of the JPEG family.
        case yuvj420p
    }

    public enum Matrix: Sendable, Hashable { case bt601, bt709, bt2020 }

    public struct Plane {
        public let base: UnsafeRawPointer
        /// Octets from a row to the next.
        public let stride: Int

        public init(base: UnsafeRawPointer, stride: Int) {
            self.base = base
            self.stride = stride
        }

    }

    public let format: PixelFormat
    public let width: Int
    public let height: Int
    /// Width of a pixel : its height.
    public let pixelAspect: (width: Int, height: Int)
    public let matrix: Matrix
    public let isFullRange: Bool
    /// 1...3 planes; those that the format lacks repeat the first.
    public let planes: (Plane, Plane, Plane)
    /// Presentation time in unwrapped 90 kHz ticks; what the access unit carried.
    public let pts: Int64
    /// The decoder met errors in it (`decode_error_flags`).
    public let isDamaged: Bool
    private let owner: UnsafeMutableRawPointer
    private let giveBack: @convention(c) (UnsafeMutableRawPointer) -> Void

    public init(
        format: PixelFormat, width: Int, height: Int, pixelAspect: (width: Int, height: Int), matrix: Matrix,
        isFullRange: Bool, planes: (Plane, Plane, Plane), pts: Int64, isDamaged: Bool,
        owner: UnsafeMutableRawPointer, giveBack: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.pixelAspect = pixelAspect
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.planes = planes
        self.pts = pts
        self.isDamaged = isDamaged
        self.owner = owner
        self.giveBack = giveBack
    }

    deinit { giveBack(owner) }
}

// Sendable: read-only memory, alive as long as the frame.
extension VideoFrame.Plane: @unchecked Sendable {}
