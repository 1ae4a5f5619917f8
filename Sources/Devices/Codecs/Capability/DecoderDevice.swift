// SPDX-License-Identifier: Apache-2.0

/// A decoder of this machine, as its driver describes it.
public struct DecoderDevice: Hashable, Sendable {
    /// How it is spoken to.
    public enum Kind: String, Hashable, Sendable {
        /// Takes a stream as it is.
        case stateful
        /// Takes pictures by the request API, which this decoder does not speak: not used.
        case stateless
        /// By libavcodec, through a driver of its own or the system's (VAAPI).
        case library

        /// This decoder knows how.
        public var isUsed: Bool { self != .stateless }
        /// The smaller one is tried first: what stands between it and us can do less harm.
        var rank: Int { self == .library ? 1 : 0 }
    }

    /// A stream that it takes.
    public struct Stream: Hashable, Sendable {
        public var format: FourCC
        public var coding: VideoCoding
        /// Nil: the driver does not tell.
        public var sizes: FrameSizes?
        /// In the driver's words; empty: it does not tell.
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

    /// `/dev/video0`; of libavcodec's, `/dev/dri/renderD128`.
    public var path: String
    public var driver: String
    public var card: String
    public var bus: String
    public var kind: Kind
    /// Whether it is spoken to by the interface of several planes.
    public var isMultiPlanar: Bool
    /// At least one.
    public var streams: [Stream]
    /// Formats of its pictures; before a stream is known often more than it can give of it.
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
    /// A driver may list as many formats, sizes of one and items of a menu before it is not believed any more.
    static let mostFormats = 256
    static let mostSizes = 64
    static let mostItems: Int32 = 64

    /// - Returns: nil for what decodes nothing that we know.
    init?(asking device: some V4L2Questions) {
        let coded = Self.formats(of: .coded, device).filter(\.isCompressed).map(\.format)
        let known = coded.compactMap { format in VideoCoding(format).map { (format, $0) } }
        // No driver mixes both kinds; of one that did, what can be used counts.
        let stateful = known.filter { $0.0 == $0.1.stateful }
        guard !known.isEmpty else { return nil }
        let identity = device.identity
        self.init(
            path: identity.path, driver: identity.driver, card: identity.card, bus: identity.bus,
            kind: stateful.isEmpty ? .stateless : .stateful, isMultiPlanar: identity.isMultiPlanar,
            streams: (stateful.isEmpty ? known : stateful).map { Stream($0.1, $0.0, asking: device) },
            pictures: Self.formats(of: .pictures, device).filter { !$0.isCompressed }.map(\.format))
    }

    /// Each once.
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
    /// `V4L2_CID_CODEC_BASE`.
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
