// SPDX-License-Identifier: Apache-2.0

/// How a picture lies in memory that devices share (dma-buf). Descriptors stay their owner's.
public struct SharedPicture: Hashable, Sendable {
    public struct Plane: Hashable, Sendable {
        public var descriptor: Int32
        /// Octets from the memory's beginning.
        public var offset: UInt32
        /// Octets from a row to the next.
        public var pitch: UInt32

        public init(descriptor: Int32, offset: UInt32, pitch: UInt32) {
            self.descriptor = descriptor
            self.offset = offset
            self.pitch = pitch
        }
    }

    /// Of the memory, not of the picture in it: a later picture in the same buffer has the same, another buffer never,
    /// however equal its descriptors. Who keeps what a device knows the buffer by, a framebuffer or a texture, holds this
    /// weakly: it ends when the maker has let the buffer go and no picture is out in it.
    public final class Identity: Hashable, Sendable {
        public init() {}

        public static func == (one: Identity, other: Identity) -> Bool { one === other }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Coded, of which a part may be there to be seen.
    public var width: Int
    public var height: Int
    /// Where what is to be seen begins; its size is the frame's.
    public var left = 0
    public var top = 0
    /// A code of `drm_fourcc.h`.
    public var fourCC: UInt32
    /// How pixels lie, likewise; 0: row by row; nil: as the memory's maker and the device know between them.
    public var modifier: UInt64?
    /// At most 4.
    public var planes: [Plane]
    public var identity: Identity

    public init(
        width: Int, height: Int, left: Int = 0, top: Int = 0, fourCC: UInt32, modifier: UInt64?, planes: [Plane],
        identity: Identity = Identity()
    ) {
        self.width = width
        self.height = height
        self.left = left
        self.top = top
        self.fourCC = fourCC
        self.modifier = modifier
        self.planes = planes
        self.identity = identity
    }

    /// `XR24 1920x1080`, and its modifier.
    public var summary: String {
        let name = withUnsafeBytes(of: fourCC.littleEndian) { String(decoding: $0, as: UTF8.self) }
        return "\(name) \(width)x\(height)" + (modifier.map { " 0x" + String($0, radix: 16) } ?? "")
    }
}

extension VideoFrame.PixelFormat {
    /// As `drm_fourcc.h` names such samples in memory that devices share, with planes in the order of a `VideoFrame`'s;
    /// nil: no device's pictures are of them.
    public var fourCC: UInt32? {
        switch self {
        case .nv12: 0x3231_564e  // NV12
        case .nv21: 0x3132_564e  // NV21
        case .p010: 0x3031_3050  // P010
        case .yuv420p: 0x3231_5559  // YU12
        case .yuv422p, .yuv444p, .gray, .yuv420p10, .yuv422p10, .yuv444p10, .gray10, .yuv420p12, .yuv422p12,
            .yuv444p12, .yuvj420p:
            nil
        }
    }
}
