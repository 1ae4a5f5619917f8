// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Finds complete coded frames of audio in units that need not begin or end with one.
struct FrameParser: ~Copyable {
    /// nil for Opus, where each unit is one frame.
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
    ///   - data: followed by libavcodec's padding.
    ///   - time: time of the first frame that begins in `data`, or `tl_no_timestamp`.
    ///   - frame: borrows the next complete frame with its time; its size is 0 if there is none yet.
    /// - Returns: number of octets consumed.
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
