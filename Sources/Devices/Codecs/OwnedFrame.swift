// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec

/// An `AVFrame` that one codec reuses.
struct OwnedFrame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(CodecError) {
        guard let frame = av_frame_alloc() else { throw .outOfMemory }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// Allocates memory for the format and size that were set.
    func allocate() throws(CodecError) {
        let code = av_frame_get_buffer(pointer, 0)
        guard code >= 0 else { throw CodecContext.error("av_frame_get_buffer", code) }
    }

    /// Makes the frame writable; if the encoder still holds its memory, the frame gets a new buffer.
    func makeWritable() throws(CodecError) {
        let code = av_frame_make_writable(pointer)
        guard code >= 0 else { throw CodecContext.error("av_frame_make_writable", code) }
    }
}
