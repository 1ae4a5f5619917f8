// SPDX-License-Identifier: Apache-2.0
import Bytes
internal import CLibAVFormat
import Media

/// Converts the packets of one stream of a file to the form that a transport stream carries, on the 90 kHz clock.
final class StreamFilter {
    let index: Int32
    let stream: MediaFile.Stream
    private let timeBase: AVRational
    /// The file's own time, in 90 kHz ticks, that becomes our time 0.
    private let start: Int64
    /// Converts to Annex B and puts parameter sets before key pictures; nil when packets pass unchanged.
    private var annexB: UnsafeMutablePointer<AVBSFContext>?
    /// Adds ADTS headers to raw AAC frames; nil when packets pass unchanged.
    private let framing: ADTSFrame?
    private var framed: [UInt8] = []

    /// Range of a unit's times in 90 kHz ticks, about 400 years in either direction, so that callers can add to them
    /// safely.
    static let times: ClosedRange<Int64> = -1 << 50...1 << 50

    private static let clock = AVRational(num: 1, den: 90_000)

    /// - Returns: nil for a codec that we do not carry and for AAC that ADTS cannot frame.
    init?(_ source: UnsafeMutablePointer<AVStream>, index: Int32, start: Int64) throws(ContainerError) {
        guard let parameters = source.pointee.codecpar, let codec = Codec(parameters.pointee.codec_id) else {
            return nil
        }
        let framing = codec == .aac ? Self.framing(of: parameters.pointee) : nil
        guard codec != .aac || parameters.pointee.extradata_size <= 0 || framing != nil else { return nil }
        self.framing = framing
        self.index = index
        self.start = start
        timeBase = source.pointee.time_base
        let fields = parameters.pointee
        stream = MediaFile.Stream(
            codec: codec, language: Self.language(of: source), width: Int(fields.width), height: Int(fields.height),
            sampleRate: Int(fields.sample_rate),
            channels: Int(fields.ch_layout.nb_channels))
        switch codec {
        case .h264: try filter(by: "h264_mp4toannexb", parameters)
        case .hevc: try filter(by: "hevc_mp4toannexb", parameters)
        default: break
        }
    }

    deinit { av_bsf_free(&annexB) }

    static func language(of source: UnsafeMutablePointer<AVStream>) -> String? {
        guard let entry = av_dict_get(source.pointee.metadata, "language", nil, 0), let value = entry.pointee.value
        else {
            return nil
        }
        let language = String(cString: value)
        return language.isEmpty || language == "und" ? nil : language
    }

    /// - Returns: nil for AAC that is already framed.
    private static func framing(of fields: AVCodecParameters) -> ADTSFrame? {
        guard fields.extradata_size > 0, let extradata = fields.extradata else { return nil }
        let octets = UnsafeRawBufferPointer(start: extradata, count: Int(fields.extradata_size))
        // A configuration that cannot be parsed cannot be framed either.
        return (try? AudioSpecificConfig(octets))?.framing(fallback: Int(fields.ch_layout.nb_channels))
    }

    /// Drops buffered state before a seek.
    func flush() {
        if let annexB { av_bsf_flush(annexB) }
    }

    private func filter(by name: String, _ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(ContainerError) {
        guard let kind = av_bsf_get_by_name(name), av_bsf_alloc(kind, &annexB) == 0, let annexB,
            avcodec_parameters_copy(annexB.pointee.par_in, parameters) >= 0
        else { throw .outOfMemory }
        annexB.pointee.time_base_in = timeBase
        guard av_bsf_init(annexB) >= 0 else { throw .outOfMemory }
    }

    /// - Parameter packet: consumed by the call; afterwards it is empty or holds the last unit.
    func pass(
        _ packet: UnsafeMutablePointer<AVPacket>, as number: Int, path: String, _ body: (MediaPacket) -> Void
    ) throws(ContainerError) {
        guard let annexB else { return give(packet, as: number, body) }
        let code = av_bsf_send_packet(annexB, packet)
        guard code >= 0 else { throw .unreadable(path: path, code: code) }
        while true {
            let code = av_bsf_receive_packet(annexB, packet)
            if code == tlf_try_again || code == tlf_end_of_file { return }
            guard code >= 0 else { throw .unreadable(path: path, code: code) }
            give(packet, as: number, body)
            av_packet_unref(packet)
        }
    }

    private func give(_ packet: UnsafeMutablePointer<AVPacket>, as number: Int, _ body: (MediaPacket) -> Void) {
        let fields = packet.pointee
        guard fields.size > 0, let pts = time(of: packet) else { return }
        let unit = AccessUnit(
            pts: pts, dts: ticks(fields.dts) ?? pts, isRandomAccess: fields.flags & AV_PKT_FLAG_KEY != 0,
            isDamaged: fields.flags & AV_PKT_FLAG_CORRUPT != 0)
        let duration = max(0, min(Self.times.upperBound, av_rescale_q(fields.duration, timeBase, Self.clock)))
        let bytes = UnsafeRawBufferPointer(start: fields.data, count: Int(fields.size))
        guard let framing else {
            return body(MediaPacket(stream: number, unit: unit, duration: duration, bytes: bytes))
        }
        guard bytes.count <= ADTSFrame.largestPayload else { return }
        framed.removeAll(keepingCapacity: true)
        framing.append(bytes, to: &framed)
        framed.withUnsafeBytes { body(MediaPacket(stream: number, unit: unit, duration: duration, bytes: $0)) }
    }

    /// Presentation time, or decoding time if there is none; nil if both are missing or the time is out of range.
    func time(of packet: UnsafeMutablePointer<AVPacket>) -> Int64? {
        ticks(packet.pointee.pts != tlf_no_timestamp ? packet.pointee.pts : packet.pointee.dts)
    }

    private func ticks(_ count: Int64) -> Int64? {
        guard count != tlf_no_timestamp else { return nil }
        let ticks = av_rescale_q(count, timeBase, Self.clock)
        guard Self.times.contains(ticks), Self.times.contains(ticks - start) else { return nil }
        return ticks - start
    }
}

extension Codec {
    fileprivate init?(_ code: AVCodecID) {
        switch code {
        case AV_CODEC_ID_H264: self = .h264
        case AV_CODEC_ID_HEVC: self = .hevc
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: self = .mpeg2Video
        case AV_CODEC_ID_AAC: self = .aac
        case AV_CODEC_ID_AAC_LATM: self = .aacLATM
        case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3: self = .mpegAudio
        case AV_CODEC_ID_AC3: self = .ac3
        case AV_CODEC_ID_EAC3: self = .enhancedAC3
        case AV_CODEC_ID_OPUS: self = .opus
        default: return nil
        }
    }
}
