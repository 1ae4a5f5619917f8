// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Reads the picture size and level that a random-access unit announces, before a decoder allocates memory for it.
/// - Thread: the decoder's.
struct PictureSizeProbe: ~Copyable {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    /// Never opened; the parser keeps its state in it.
    private let notes: UnsafeMutablePointer<AVCodecContext>

    init(_ codec: Codec) throws(CodecError) {
        guard let parser = av_parser_init(Int32(bitPattern: codec.libraryID.rawValue)) else {
            throw .missing("\(codec.rawValue) parser")
        }
        guard let notes = avcodec_alloc_context3(nil) else {
            av_parser_close(parser)
            throw .outOfMemory
        }
        notes.pointee.codec_id = codec.libraryID
        notes.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        self.parser = parser
        self.notes = notes
    }

    deinit {
        av_parser_close(parser)
        var notes: UnsafeMutablePointer<AVCodecContext>? = notes
        avcodec_free_context(&notes)
    }

    /// - Returns: size in pixels; nil if the unit does not announce one.
    func size(of unit: UnsafeMutablePointer<AVPacket>) -> (width: Int, height: Int)? {
        parser.pointee.width = 0
        parser.pointee.height = 0
        // The MPEG-2 parser leaves these fields unchanged if libavcodec rejects a size, so old values are cleared.
        notes.pointee.width = 0
        notes.pointee.height = 0
        notes.pointee.level = 0
        var found: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        _ = av_parser_parse2(
            parser, notes, &found, &count, unit.pointee.data, unit.pointee.size, tl_no_timestamp, tl_no_timestamp, 0)
        let fields = parser.pointee
        guard fields.width > 0, fields.height > 0 else { return nil }
        return (max(Int(fields.width), Int(fields.coded_width)), max(Int(fields.height), Int(fields.coded_height)))
    }

    /// Level announced by the unit whose size was read last, numbered as by its codec (H.264: level_idc); nil if none
    /// was.
    var level: Int? { notes.pointee.level > 0 ? Int(notes.pointee.level) : nil }
}
