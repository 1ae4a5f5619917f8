// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Encodes pictures of a constant rate to H.264 by libx264: Annex B with access unit delimiters, and parameter sets at
/// each key picture.
/// - Thread: one, which owns it.
public struct VideoEncoder: ~Copyable {
    public struct Settings: Hashable, Sendable {
        public enum Preset: String, Sendable, CaseIterable { case ultrafast, superfast, veryfast, faster, fast, medium }

        public var width: Int
        public var height: Int
        /// Pictures per second: `numerator` / `denominator`.
        public var rate: (numerator: Int, denominator: Int) {
            get { (rateNumerator, rateDenominator) }
            set { (rateNumerator, rateDenominator) = newValue }
        }
        private var rateNumerator: Int
        private var rateDenominator: Int
        /// Number of pictures from one key picture to the next.
        public var gop: Int
        public var kilobitsPerSecond: Int
        public var bFrames = 0
        public var preset = Preset.veryfast
        /// Without look-ahead, so that each picture is output as soon as it is encoded.
        public var isLowDelay = false

        public init(width: Int, height: Int, rate: (numerator: Int, denominator: Int), gop: Int, kilobitsPerSecond: Int)
        {
            self.width = width
            self.height = height
            rateNumerator = rate.numerator
            rateDenominator = rate.denominator
            self.gop = gop
            self.kilobitsPerSecond = kilobitsPerSecond
        }
    }

    private let context: CodecContext
    private let frame: OwnedFrame
    private let packet: OwnedPacket
    private let rate: (numerator: Int64, denominator: Int64)
    private var pictures: Int64 = 0

    /// - Parameter settings: width and height are even, 16...8 192; the rate is above 0.
    public init(_ settings: Settings) throws(CodecError) {
        precondition((16...8_192).contains(settings.width) && (16...8_192).contains(settings.height))
        precondition(settings.rate.numerator > 0 && settings.rate.denominator > 0 && settings.gop > 0)
        rate = (Int64(settings.rate.numerator), Int64(settings.rate.denominator))
        let packet = try OwnedPacket()
        let frame = try OwnedFrame()
        frame.pointer.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointer.pointee.width = Int32(settings.width)
        frame.pointer.pointee.height = Int32(settings.height)
        try frame.allocate()
        context = try CodecContext(avcodec_find_encoder_by_name("libx264"), named: "libx264") { settings.apply(to: $0) }
        self.packet = packet
        self.frame = frame
    }

    /// Encodes the next picture and passes on the units that are complete: none, or units of earlier pictures.
    /// - Parameter picture: must have the encoder's size and limited range; copied.
    public mutating func encode(
        _ picture: borrowing PictureBuffer, _ body: (EncodedUnit) -> Void
    ) throws(CodecError) {
        precondition(picture.width == Int(frame.pointer.pointee.width))
        precondition(picture.height == Int(frame.pointer.pointee.height))
        try frame.makeWritable()
        let (data, strides) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        for (plane, target, stride) in [(0, data.0, strides.0), (1, data.1, strides.1), (2, data.2, strides.2)] {
            guard let target else { throw .outOfMemory }
            picture.copyPlane(plane, to: UnsafeMutableRawPointer(target), stride: Int(stride))
        }
        frame.pointer.pointee.pts = pictures
        pictures += 1
        try context.send(frame: frame.pointer)
        try give(body)
    }

    /// Passes on the remaining units; nothing can be encoded afterwards.
    public mutating func finish(_ body: (EncodedUnit) -> Void) throws(CodecError) {
        try context.send(frame: nil)
        try give(body)
    }

    private func give(_ body: (EncodedUnit) -> Void) throws(CodecError) {
        while try context.receive(packet: packet.pointer) {
            let fields = packet.pointer.pointee
            body(
                EncodedUnit(
                    bytes: packet.bytes, pts: ticks(fields.pts), dts: ticks(fields.dts),
                    isKey: fields.flags & AV_PKT_FLAG_KEY != 0))
        }
    }

    private func ticks(_ count: Int64) -> Int64 { count * 90_000 * rate.denominator / rate.numerator }
}

extension VideoEncoder.Settings {
    fileprivate func apply(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.width = Int32(width)
        context.pointee.height = Int32(height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.framerate = AVRational(num: Int32(rate.numerator), den: Int32(rate.denominator))
        context.pointee.time_base = AVRational(num: Int32(rate.denominator), den: Int32(rate.numerator))
        context.pointee.gop_size = Int32(gop)
        context.pointee.keyint_min = Int32(gop)
        context.pointee.max_b_frames = Int32(bFrames)
        context.pointee.bit_rate = Int64(kilobitsPerSecond) * 1_000
        context.pointee.rc_max_rate = Int64(kilobitsPerSecond) * 1_000
        context.pointee.rc_buffer_size = Int32(clamping: kilobitsPerSecond * 1_000)  // one second
        context.pointee.colorspace = height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
        context.pointee.color_primaries = height >= 720 ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M
        context.pointee.color_trc = height >= 720 ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M
        context.pointee.color_range = AVCOL_RANGE_MPEG
        let options = context.pointee.priv_data
        av_opt_set(options, "preset", preset.rawValue, 0)
        if isLowDelay { av_opt_set(options, "tune", "zerolatency", 0) }
        av_opt_set(options, "x264-params", "aud=1:scenecut=0:open-gop=0", 0)
    }
}
