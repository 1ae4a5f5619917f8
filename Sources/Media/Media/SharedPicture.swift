// SPDX-License-Identifier: Apache-2.0

/// The layout of a picture in memory that devices share (dma-buf). The descriptors belong to their owner.
public struct SharedPicture: Hashable, Sendable {
    public struct Plane: Hashable, Sendable {
        public var descriptor: Int32
        /// Octets from the beginning of the memory.
        public var offset: UInt32
        /// Octets from one row to the next.
        public var pitch: UInt32

        public init(descriptor: Int32, offset: UInt32, pitch: UInt32) {
            self.descriptor = descriptor
            self.offset = offset
            self.pitch = pitch
        }
    }

    /// The identity of the memory, not of the picture in it. A later picture in the same buffer has the same identity;
    /// another buffer never has, even with equal descriptors. A cache of framebuffers or textures holds it weakly: it
    /// ends when the maker has released the buffer and no picture in it is in use.
    public final class Identity: Hashable, Sendable {
        public init() {}

        public static func == (one: Identity, other: Identity) -> Bool { one === other }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Coded size in pixels; only a part may be visible.
    public var width: Int
    public var height: Int
    /// Position of the visible part in the coded picture. Its size is that of the frame.
    public var left = 0
    public var top = 0
    /// Pixel format, a DRM_FORMAT_ code of `drm_fourcc.h`.
    public var fourCC: UInt32
    /// Format modifier, likewise; 0 is linear. Nil if the modifier is implicit: the driver knows the layout.
    public var modifier: UInt64?
    /// The planes, at most 4.
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

    /// `XR24 1920x1080`, followed by the modifier if there is one.
    public var summary: String {
        let name = withUnsafeBytes(of: fourCC.littleEndian) { String(decoding: $0, as: UTF8.self) }
        return "\(name) \(width)x\(height)" + (modifier.map { " 0x" + String($0, radix: 16) } ?? "")
    }
}

extension VideoFrame.PixelFormat {
    /// The DRM_FORMAT_ code with these samples and with the planes in the order of a `VideoFrame`; nil if no device
    /// yields such pictures.
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
