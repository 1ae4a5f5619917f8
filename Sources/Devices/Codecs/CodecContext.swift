// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// An opened `AVCodecContext`. It is the one place that interprets libavcodec's return codes.
struct CodecContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&context)
    }

    /// - Parameters:
    ///   - codec: nil if libavcodec lacks it; `name` then says in the error what is missing.
    ///   - configure: sets fields before the codec opens.
    init(
        _ codec: UnsafePointer<AVCodec>?, named name: String,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(CodecError) {
        Self.silenceLog
        guard let codec else { throw .missing(name) }
        guard let context = avcodec_alloc_context3(codec) else { throw .outOfMemory }
        context.pointee.thread_count = 1
        configure(context)
        let code = avcodec_open2(context, codec, nil)
        guard code >= 0 else {
            var failed: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&failed)
            throw Self.error("avcodec_open2", code)
        }
        pointer = context
    }

    /// - Parameter decoder: nil if libavcodec lacks it.
    static func decoder(
        of codec: Codec, by decoder: UnsafePointer<AVCodec>?,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(CodecError) -> CodecContext {
        try CodecContext(decoder, named: "\(codec.rawValue) decoder") { context in
            context.pointee.pkt_timebase = AVRational(num: 1, den: 90_000)
            configure(context)
        }
    }

    /// - Parameter packet: nil ends the stream; what is buffered comes out, then nothing until `flush`.
    func send(packet: UnsafePointer<AVPacket>?) throws(CodecError) {
        let code = avcodec_send_packet(pointer, packet)
        guard code >= 0 else { throw Self.error("avcodec_send_packet", code) }
    }

    func send(frame: UnsafePointer<AVFrame>?) throws(CodecError) {
        let code = avcodec_send_frame(pointer, frame)
        guard code >= 0 else { throw Self.error("avcodec_send_frame", code) }
    }

    /// - Returns: false if more input is needed or the stream has ended.
    func receive(frame: UnsafeMutablePointer<AVFrame>) throws(CodecError) -> Bool {
        try Self.hasOutput("avcodec_receive_frame", avcodec_receive_frame(pointer, frame))
    }

    /// - Returns: false if more input is needed or the stream has ended.
    func receive(packet: UnsafeMutablePointer<AVPacket>) throws(CodecError) -> Bool {
        try Self.hasOutput("avcodec_receive_packet", avcodec_receive_packet(pointer, packet))
    }

    func flush() { avcodec_flush_buffers(pointer) }

    static func error(_ call: String, _ code: Int32) -> CodecError {
        switch code {
        case tl_invalid_data, tl_invalid_argument: .invalidData  // invalid argument: a size or a count
        case tl_patches_welcome: .unsupportedFormat("that libavcodec does not know")
        case tl_out_of_memory: .outOfMemory
        case tl_try_again: .outputWaiting
        default: .failed(call: call, code: code)
        }
    }

    private static func hasOutput(_ call: String, _ code: Int32) throws(CodecError) -> Bool {
        switch code {
        case tl_try_again, tl_end_of_stream: return false
        case 0...: return true
        default: throw error(call, code)
        }
    }

    /// Silences libavcodec, which would log each damaged macroblock to standard error; our callers count. Once per
    /// process.
    static let silenceLog: Void = av_log_set_level(AV_LOG_QUIET)
}

extension Codec {
    var libraryID: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .mpeg2Video: AV_CODEC_ID_MPEG2VIDEO
        case .fwht: AV_CODEC_ID_NONE
        case .aac: AV_CODEC_ID_AAC
        case .aacLATM: AV_CODEC_ID_AAC_LATM
        case .mpegAudio: AV_CODEC_ID_MP3  // this decoder reads all three layers
        case .ac3: AV_CODEC_ID_AC3
        case .enhancedAC3: AV_CODEC_ID_EAC3
        case .opus: AV_CODEC_ID_OPUS
        }
    }
}
