// SPDX-License-Identifier: Apache-2.0

/// A decoder of this machine as its driver describes it.
public struct DecoderDevice: Hashable, Sendable {
    /// Interface by which it is used.
    public enum Kind: String, Hashable, Sendable {
        /// Takes a stream as it is (V4L2 stateful decoder).
        case stateful
        /// Takes single pictures by the request API; we do not use these.
        case stateless
        /// Used through libavcodec, with its own driver or the system's (VAAPI).
        case library

        /// Whether we can use this kind.
        public var isUsed: Bool { self != .stateless }
        /// The lower rank is tried first: fewer layers lie between that device and us.
        var rank: Int { self == .library ? 1 : 0 }
    }

    /// A kind of stream that the device takes.
    public struct Stream: Hashable, Sendable {
        public var format: FourCC
        public var coding: VideoCoding
        /// nil if the driver does not report it.
        public var sizes: FrameSizes?
        /// Profile names in the driver's words; empty if it does not report them. The same holds for `levels`.
        public var profiles: [String]
        public var levels: [String]

        public init(
            _ coding: VideoCoding, _ format: FourCC, sizes: FrameSizes? = nil, profiles: [String] = [],
            levels: [String] = []
        ) {
            self.coding = coding
            self.format = format
            self.sizes = sizes
            self.profiles = profiles
            self.levels = levels
        }
    }

    /// Path such as `/dev/video0`, or `/dev/dri/renderD128` for a device of libavcodec.
    public var path: String
    public var driver: String
    public var card: String
    public var bus: String
    public var kind: Kind
    /// Whether it uses V4L2's multi-planar API.
    public var isMultiPlanar: Bool
    /// Never empty.
    public var streams: [Stream]
    /// Pixel formats of its pictures. Before a stream is known, drivers often list more than they can provide for it.
    public var pictures: [FourCC]

    public init(
        path: String, driver: String, card: String = "", bus: String = "", kind: Kind = .stateful,
        isMultiPlanar: Bool = false, streams: [Stream], pictures: [FourCC] = []
    ) {
        self.path = path
        self.driver = driver
        self.card = card
        self.bus = bus
        self.kind = kind
        self.isMultiPlanar = isMultiPlanar
        self.streams = streams
        self.pictures = pictures
    }
}

extension DecoderDevice {
    /// Limits on what is read from a driver: formats, sizes of a format, and items of a menu.
    static let mostFormats = 256
    static let mostSizes = 64
    static let mostItems: Int32 = 64

    /// - Returns: nil if the device decodes no coding that we know.
    init?(asking device: some V4L2Questions) {
        let coded = Self.formats(of: .coded, device).filter(\.isCompressed).map(\.format)
        let known = coded.compactMap { format in VideoCoding(format).map { (format, $0) } }
        // No known driver is both stateful and stateless; if one were, its usable streams would count.
        let stateful = known.filter { $0.0 == $0.1.stateful }
        guard !known.isEmpty else { return nil }
        let identity = device.identity
        self.init(
            path: identity.path, driver: identity.driver, card: identity.card, bus: identity.bus,
            kind: stateful.isEmpty ? .stateless : .stateful, isMultiPlanar: identity.isMultiPlanar,
            streams: (stateful.isEmpty ? known : stateful).map { Stream($0.1, $0.0, asking: device) },
            pictures: Self.formats(of: .pictures, device).filter { !$0.isCompressed }.map(\.format))
    }

    /// Formats of a queue without repetitions.
    private static func formats(
        of queue: V4L2Queue, _ device: some V4L2Questions
    ) -> [(format: FourCC, isCompressed: Bool)] {
        var found: [(format: FourCC, isCompressed: Bool)] = []
        for index in 0..<mostFormats {
            guard let next = device.format(index, of: queue) else { break }
            if !found.contains(where: { $0.format == next.format }) { found.append(next) }
        }
        return found
    }
}

extension DecoderDevice.Stream {
    fileprivate init(_ coding: VideoCoding, _ format: FourCC, asking device: some V4L2Questions) {
        var sizes: [V4L2FrameSize] = []
        for index in 0..<DecoderDevice.mostSizes {
            guard let next = device.frameSize(index, of: format) else { break }
            sizes.append(next)
        }
        self.init(
            coding, format, sizes: FrameSizes(sizes), profiles: Self.items(of: coding.profileControl, device),
            levels: Self.items(of: coding.levelControl, device))
    }

    private static func items(of control: UInt32?, _ device: some V4L2Questions) -> [String] {
        guard let control, let (first, last) = device.menu(control), first >= 0,
            first <= min(last, DecoderDevice.mostItems)
        else { return [] }
        return (first...min(last, DecoderDevice.mostItems)).compactMap { index in
            let name = device.item(UInt32(index), of: control) ?? ""
            return name.isEmpty ? nil : name
        }
    }
}

extension VideoCoding {
    /// The value of `V4L2_CID_CODEC_BASE`.
    private static let controls: UInt32 = 0x0099_0900

    /// `V4L2_CID_MPEG_VIDEO_…_PROFILE`.
    fileprivate var profileControl: UInt32? {
        switch self {
        case .h264: Self.controls + 363
        case .hevc: Self.controls + 615
        case .mpeg2Video: Self.controls + 271
        case .vp8: Self.controls + 511
        case .vp9: Self.controls + 512
        case .fwht: nil
        }
    }

    /// `V4L2_CID_MPEG_VIDEO_…_LEVEL`.
    fileprivate var levelControl: UInt32? {
        switch self {
        case .h264: Self.controls + 359
        case .hevc: Self.controls + 616
        case .mpeg2Video: Self.controls + 270
        case .vp9: Self.controls + 513
        case .vp8, .fwht: nil
        }
    }
}
