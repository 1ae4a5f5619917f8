// SPDX-License-Identifier: Apache-2.0

/// A decoded picture in memory that its decoder lends. The memory returns to the decoder when this value ends. Never
/// copied.
public struct VideoFrame: ~Copyable, @unchecked Sendable {
    // Sendable: the planes are read-only once the frame is made, and `giveBack` may run on any thread.

    /// Formats of more than 8 bits use little-endian words of 16 bits, with the sample in the low bits (in the high
    /// bits for `p010`).
    public enum PixelFormat: Sendable, Hashable, CaseIterable {
        case yuv420p, yuv422p, yuv444p, nv12, gray
        /// Like `nv12`, but the red-difference sample of each pair comes first.
        case nv21
        case yuv420p10, yuv422p10, yuv444p10, p010, gray10
        case yuv420p12, yuv422p12, yuv444p12
        /// Planar YUV 4:2:0 with the full range of JPEG.
        case yuvj420p
    }

    public enum Matrix: Sendable, Hashable { case bt601, bt709, bt2020 }

    /// The transfer function: the usual gamma, or one of the two of BT.2100.
    public enum Transfer: Sendable, Hashable { case sdr, pq, hlg }

    public enum Field: Sendable, Hashable {
        /// The rows 0, 2, 4 and so on.
        case top
        case bottom
    }

    /// Whether all rows were captured at one instant, else which field was captured first.
    public enum FieldOrder: Sendable, Hashable { case progressive, topFirst, bottomFirst }

    public struct Plane {
        public let base: UnsafeRawPointer
        /// Octets from one row to the next.
        public let stride: Int

        public init(base: UnsafeRawPointer, stride: Int) {
            self.base = base
            self.stride = stride
        }

        /// The plane of one field: every second row.
        public func rows(of field: Field) -> Plane {
            Plane(base: field == .top ? base : base + stride, stride: stride * 2)
        }
    }

    public let format: PixelFormat
    public let width: Int
    public let height: Int
    /// Pixel aspect ratio, width : height; 1:1 if the stream's is beyond what any picture has (`believable`).
    public let pixelAspect: (width: Int, height: Int)
    public let matrix: Matrix
    public let isFullRange: Bool
    public let transfer: Transfer
    public let fields: FieldOrder
    /// Layout in memory that devices share, valid while the frame lives; nil if the picture is not in such memory.
    public let shared: SharedPicture?
    /// Keeps the memory from being given back, as the frame itself does. Whoever shows the picture after the frame has
    /// ended holds it; nil if the memory cannot be held so.
    public let loan: (any AnyObject & Sendable)?
    /// Presentation time stamp of the access unit, in unwrapped 90 kHz ticks.
    public var pts: Int64
    /// Whether the decoder found errors in it (`decode_error_flags`).
    public let isDamaged: Bool
    private let samples: (Plane, Plane, Plane)
    private let owner: UnsafeMutableRawPointer
    private let beginReading: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
    private let giveBack: @convention(c) (UnsafeMutableRawPointer) -> Void

    /// The planes, 1...3; those that the format lacks repeat the first. Reading this property prepares shared memory
    /// for the processor (DMA_BUF_IOCTL_SYNC). A device that takes the picture from `shared` avoids that.
    public var planes: (Plane, Plane, Plane) {
        beginReading?(owner)
        return samples
    }

    /// A pixel aspect ratio, or 1:1 if a pixel would be more than four times as wide as high, or as high as wide. The
    /// widest of real pictures are those of 352 by 576 pixels on 16:9, with 2.9.
    public static func believable(_ aspect: (width: Int, height: Int)) -> (width: Int, height: Int) {
        guard aspect.width > 0, aspect.height > 0 else { return (1, 1) }
        let ratio = Double(aspect.width) / Double(aspect.height)
        return (0.25...4).contains(ratio) ? aspect : (1, 1)
    }

    /// - Parameters:
    ///   - beginReading: called before each access by the processor, on one thread at a time; nil if the memory needs
    ///     no preparation.
    ///   - giveBack: called once when the frame ends, on any thread.
    public init(
        format: PixelFormat, width: Int, height: Int, pixelAspect: (width: Int, height: Int), matrix: Matrix,
        isFullRange: Bool, transfer: Transfer = .sdr, fields: FieldOrder = .progressive,
        planes: (Plane, Plane, Plane), shared: SharedPicture? = nil, loan: (any AnyObject & Sendable)? = nil,
        pts: Int64, isDamaged: Bool, owner: UnsafeMutableRawPointer,
        beginReading: (@convention(c) (UnsafeMutableRawPointer) -> Void)? = nil,
        giveBack: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.pixelAspect = VideoFrame.believable(pixelAspect)
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.fields = fields
        samples = planes
        self.shared = shared
        self.loan = loan
        self.pts = pts
        self.isDamaged = isDamaged
        self.owner = owner
        self.beginReading = beginReading
        self.giveBack = giveBack
    }

    deinit { giveBack(owner) }
}

// Sendable: it refers to read-only memory that lives as long as the frame.
extension VideoFrame.Plane: @unchecked Sendable {}

extension VideoFrame.PixelFormat {
    /// Octets per sample.
    public var sampleOctets: Int {
        switch self {
        case .yuv420p, .yuv422p, .yuv444p, .nv12, .nv21, .gray, .yuvj420p: 1
        case .yuv420p10, .yuv422p10, .yuv444p10, .p010, .gray10, .yuv420p12, .yuv422p12, .yuv444p12: 2
        }
    }

    public var planeCount: Int {
        switch self {
        case .gray, .gray10: 1
        case .nv12, .nv21, .p010: 2
        default: 3
        }
    }

    /// The size of plane `index` of a picture of this size: octets of samples per row, and rows. Halved chroma sizes
    /// are rounded up.
    public func extent(ofPlane index: Int, width: Int, height: Int) -> (octets: Int, rows: Int) {
        guard index > 0 else { return (width * sampleOctets, height) }
        let (half, rows) = ((width + 1) / 2, (height + 1) / 2)
        switch self {
        case .gray, .gray10: return (0, 0)
        case .yuv420p, .yuvj420p, .yuv420p10, .yuv420p12: return (half * sampleOctets, rows)
        case .nv12, .nv21, .p010: return (half * 2 * sampleOctets, rows)
        case .yuv422p, .yuv422p10, .yuv422p12: return (half * sampleOctets, height)
        case .yuv444p, .yuv444p10, .yuv444p12: return (width * sampleOctets, height)
        }
    }
}
