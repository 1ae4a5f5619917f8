// SPDX-License-Identifier: Apache-2.0

/// A decoded picture in memory that its decoder lends: gone back to it when this value ends. Never copied.
public struct VideoFrame: ~Copyable, @unchecked Sendable {
    // Sendable: the planes are read-only once the frame is made, and `giveBack` may run on any thread.

    /// More than 8 bits: little-endian words of 16, the sample in their low bits, or in their high ones (`p010`).
    public enum PixelFormat: Sendable, Hashable, CaseIterable {
        case yuv420p, yuv422p, yuv444p, nv12, gray
        /// As `nv12` with the red-difference sample of each pair first.
        case nv21
        case yuv420p10, yuv422p10, yuv444p10, p010, gray10
        case yuv420p12, yuv422p12, yuv444p12
        /// Planar with the full range of the JPEG family.
        case yuvj420p
    }

    public enum Matrix: Sendable, Hashable { case bt601, bt709, bt2020 }

    /// What a sample's value means in light: the usual gamma, or one of BT.2100's two.
    public enum Transfer: Sendable, Hashable { case sdr, pq, hlg }

    public enum Field: Sendable, Hashable {
        /// The rows 0, 2, 4 …
        case top
        case bottom
    }

    /// Whether all rows were taken at one instant, else which half of them came first.
    public enum FieldOrder: Sendable, Hashable { case progressive, topFirst, bottomFirst }

    public struct Plane {
        public let base: UnsafeRawPointer
        /// Octets from a row to the next.
        public let stride: Int

        public init(base: UnsafeRawPointer, stride: Int) {
            self.base = base
            self.stride = stride
        }

        /// Every second row.
        public func rows(of field: Field) -> Plane {
            Plane(base: field == .top ? base : base + stride, stride: stride * 2)
        }
    }

    public let format: PixelFormat
    public let width: Int
    public let height: Int
    /// Width of a pixel : its height.
    public let pixelAspect: (width: Int, height: Int)
    public let matrix: Matrix
    public let isFullRange: Bool
    public let transfer: Transfer
    public let fields: FieldOrder
    /// The first field is shown once more behind the second: film at a television's rate.
    public let repeatsField: Bool
    /// Where it lies in memory that devices share, as long as the frame lives; nil: in no such memory.
    public let shared: SharedPicture?
    /// Keeps what it lies in from being given back, as the frame does: for who shows it longer than that lives.
    public let loan: (any AnyObject & Sendable)?
    /// Presentation time in unwrapped 90 kHz ticks; what the access unit carried.
    public let pts: Int64
    /// The decoder met errors in it (`decode_error_flags`).
    public let isDamaged: Bool
    private let samples: (Plane, Plane, Plane)
    private let owner: UnsafeMutableRawPointer
    private let beginReading: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
    private let giveBack: @convention(c) (UnsafeMutableRawPointer) -> Void

    /// 1...3 planes; those that the format lacks repeat the first. Who looks reads them: shared memory is told so
    /// (DMA_BUF_IOCTL_SYNC) at the first look, which a device that takes the picture from `shared` spares.
    public var planes: (Plane, Plane, Plane) {
        beginReading?(owner)
        return samples
    }

    /// - Parameters:
    ///   - beginReading: what has to be done before the processor reads; called often, on one thread at a time.
    ///   - giveBack: called once, last, on any thread.
    public init(
        format: PixelFormat, width: Int, height: Int, pixelAspect: (width: Int, height: Int), matrix: Matrix,
        isFullRange: Bool, transfer: Transfer = .sdr, fields: FieldOrder = .progressive, repeatsField: Bool = false,
        planes: (Plane, Plane, Plane), shared: SharedPicture? = nil, loan: (any AnyObject & Sendable)? = nil,
        pts: Int64, isDamaged: Bool, owner: UnsafeMutableRawPointer,
        beginReading: (@convention(c) (UnsafeMutableRawPointer) -> Void)? = nil,
        giveBack: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.pixelAspect = pixelAspect
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.fields = fields
        self.repeatsField = repeatsField
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

// Sendable: read-only memory, alive as long as the frame.
extension VideoFrame.Plane: @unchecked Sendable {}

extension VideoFrame.PixelFormat {
    /// Octets of a sample.
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

    /// Octets of a row that hold samples, and rows, of plane `index` of a picture of this size; an odd edge of chroma
    /// counts whole.
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
