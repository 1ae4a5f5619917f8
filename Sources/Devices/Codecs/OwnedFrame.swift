// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec

/// An `AVFrame` that one codec fills again and again.
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

    /// Memory of its own, for the format and size that were set.
    func allocate() throws(CodecError) {
        let code = av_frame_get_buffer(pointer, 0)
        guard code >= 0 else { throw CodecContext.error("av_frame_get_buffer", code) }
    }

    /// Ready to be written, though the encoder may still hold what was written before.
    func makeWritable() throws(CodecError) {
        let code = av_frame_make_writable(pointer)
        guard code >= 0 else { throw CodecContext.error("av_frame_make_writable", code) }
    }
}
