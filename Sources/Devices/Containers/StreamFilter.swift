// SPDX-License-Identifier: Apache-2.0
internal import CLibAVFormat
import Media

/// One stream of a file: brings its packets into the form that a transport stream carries, on the 90 kHz clock.
final class StreamFilter {
    let index: Int32
    let stream: MediaFile.Stream
    private let timeBase: AVRational
    /// To Annex B, with parameter sets in front of key pictures; nil where packets pass as they are.
    private var annexB: UnsafeMutablePointer<AVBSFContext>?
    /// Frames raw AAC; nil where packets pass as they are.
    private let framing: ADTSFrame?
    private var framed: [UInt8] = []

    private static let clock = AVRational(num: 1, den: 90_000)

    /// - Returns: nil for a codec that we do not carry.
    init?(_ source: UnsafeMutablePointer<AVStream>, index: Int32) throws(ContainerError) {
        guard let parameters = source.pointee.codecpar, let codec = Codec(parameters.pointee.codec_id) else {
            return nil
        }
        self.index = index
        timeBase = source.pointee.time_base
        let fields = parameters.pointee
        stream = MediaFile.Stream(
            codec: codec, width: Int(fields.width), height: Int(fields.height), sampleRate: Int(fields.sample_rate),
            channels: Int(fields.ch_layout.nb_channels))
        framing =
            codec == .aac && fields.extradata_size > 0
            ? ADTSFrame(sampleRate: stream.sampleRate, channels: stream.channels) : nil
        switch codec {
        case .h264: try filter(by: "h264_mp4toannexb", parameters)
        case .hevc: try filter(by: "hevc_mp4toannexb", parameters)
        default: break
        }
    }

    deinit { av_bsf_free(&annexB) }

    private func filter(by name: String, _ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(ContainerError) {
        guard let kind = av_bsf_get_by_name(name), av_bsf_alloc(kind, &annexB) == 0, let annexB,
            avcodec_parameters_copy(annexB.pointee.par_in, parameters) >= 0
        else { throw .outOfMemory }
        annexB.pointee.time_base_in = timeBase
        guard av_bsf_init(annexB) >= 0 else { throw .outOfMemory }
    }

    /// - Parameter packet: is empty afterwards, or holds the last unit.
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
        guard fields.size > 0, fields.pts != tlf_no_timestamp || fields.dts != tlf_no_timestamp else { return }
        let pts = ticks(fields.pts != tlf_no_timestamp ? fields.pts : fields.dts)
        let unit = AccessUnit(
            pts: pts, dts: fields.dts != tlf_no_timestamp ? ticks(fields.dts) : pts,
            isRandomAccess: fields.flags & AV_PKT_FLAG_KEY != 0, isDamaged: fields.flags & AV_PKT_FLAG_CORRUPT != 0)
        let duration = max(0, ticks(fields.duration))
        let bytes = UnsafeRawBufferPointer(start: fields.data, count: Int(fields.size))
        guard let framing else {
            return body(MediaPacket(stream: number, unit: unit, duration: duration, bytes: bytes))
        }
        guard bytes.count <= ADTSFrame.largestPayload else { return }
        framed.removeAll(keepingCapacity: true)
        framing.append(bytes, to: &framed)
        framed.withUnsafeBytes { body(MediaPacket(stream: number, unit: unit, duration: duration, bytes: $0)) }
    }

    private func ticks(_ count: Int64) -> Int64 { av_rescale_q(count, timeBase, Self.clock) }
}

extension Codec {
    fileprivate init?(_ code: AVCodecID) {
        switch code {
        case AV_CODEC_ID_H264: self = .h264
        case AV_CODEC_ID_HEVC: self = .hevc
        case AV_CODEC_ID_MPEG2VIDEO: self = .mpeg2Video
        case AV_CODEC_ID_AAC: self = .aac
        case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3: self = .mpegAudio
        case AV_CODEC_ID_AC3: self = .ac3
        default: return nil
        }
    }
}
