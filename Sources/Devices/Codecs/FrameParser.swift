// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Finds whole coded frames of sound in units that need not begin or end with one.
struct FrameParser: ~Copyable {
    /// Nil for Opus, whose every unit is one.
    private let pointer: UnsafeMutablePointer<AVCodecParserContext>?

    init(_ codec: Codec) throws(CodecError) {
        guard codec != .opus else {
            pointer = nil
            return
        }
        guard let parser = av_parser_init(Int32(bitPattern: codec.libraryID.rawValue)) else {
            throw .missing("\(codec.rawValue) parser")
        }
        pointer = parser
    }

    deinit { if let pointer { av_parser_close(pointer) } }

    var isNeeded: Bool { pointer != nil }

    /// - Parameters:
    ///   - data: with libavcodec's padding behind it.
    ///   - time: of the first frame that begins in `data`, or `tl_no_timestamp`.
    ///   - frame: borrows the next whole frame, with its time; of size 0 when there is none yet.
    /// - Returns: octets used.
    func parse(
        _ data: UnsafePointer<UInt8>, _ count: Int, time: Int64, _ context: borrowing CodecContext,
        into frame: UnsafeMutablePointer<AVPacket>
    ) throws(CodecError) -> Int {
        guard let pointer else { preconditionFailure("parsing what is not to be parsed") }
        var found: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        let used = av_parser_parse2(pointer, context.pointer, &found, &size, data, Int32(count), time, time, 0)
        guard used >= 0, used > 0 || size > 0 else { throw .invalidData }
        frame.pointee.data = found
        frame.pointee.size = size
        frame.pointee.pts = pointer.pointee.pts
        return min(Int(used), count)
    }
}
