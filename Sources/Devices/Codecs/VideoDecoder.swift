// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Access units to pictures by libavcodec in software. Damaged units are errors or damaged pictures, never the end.
///
/// Between two `send`s, `receive` until it answers nil. One picture may lag behind its unit by the stream's reorder
/// depth; `firstPicture` shows a random-access unit at once.
/// - Thread: one, which owns it. Frames may end on any thread, also after the decoder.
public struct VideoDecoder: ~Copyable {
    private let context: CodecContext
    private var input: InputPacket
    /// The frame that `receive` fills next; nil after it went out as a picture.
    private var spare: UnsafeMutablePointer<AVFrame>?
    /// Times of units that lost packets. Their pictures are damaged even where concealment hides it from libavcodec.
    private var damagedTimes: [Int64]
    private var nextDamaged = 0

    /// - Parameter threads: 1 for the least delay; each further one decodes another frame ahead and adds a frame time.
    public init(_ codec: Codec, threads: Int = 1) throws(CodecError) {
        precondition(codec.isVideo && (1...16).contains(threads))
        let input = try InputPacket()
        context = try CodecContext.decoder(of: codec) { context in
            context.pointee.thread_count = Int32(threads)
            context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED  // crop to the pixel, not to the SIMD word
            context.pointee.max_pixels = 8_192 * 4_352
        }
        self.input = input
        damagedTimes = [Int64](repeating: .min, count: 32)  // here, not above: 6.0.3
    }

    deinit {
        var unused = spare
        av_frame_free(&unused)
    }

    /// - Parameter bytes: the unit in Annex B (or MPEG-2 video start code) form; copied.
    public mutating func send(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        try input.fill(bytes)
        input.pointer.pointee.pts = unit.pts
        input.pointer.pointee.dts = unit.dts
        input.pointer.pointee.flags = unit.isRandomAccess ? AV_PKT_FLAG_KEY : 0
        if unit.isDamaged {
            damagedTimes[nextDamaged] = unit.pts
            nextDamaged = (nextDamaged + 1) % damagedTimes.count
        }
        try context.send(packet: input.pointer)
    }

    /// The next picture in presentation order; nil when more units are needed.
    public mutating func receive() throws(CodecError) -> VideoFrame? {
        guard let frame = spare ?? av_frame_alloc() else { throw .outOfMemory }
        spare = frame
        guard try context.receive(frame: frame) else { return nil }
        let format = try VideoFrame.PixelFormat(of: frame)
        spare = nil
        return VideoFrame(adopting: frame, as: format, isDamaged: damagedTimes.contains(frame.pointee.pts))
    }

    /// No unit follows: `receive` gives what is still inside. Before the next unit, `flush`.
    public mutating func drain() throws(CodecError) { try context.send(packet: nil) }

    /// Forgets the past; the next unit should be a random-access point.
    public mutating func flush() {
        context.flush()
        for index in damagedTimes.indices { damagedTimes[index] = .min }
    }

    /// Decodes one random-access unit alone and gives its picture without waiting for reordering. The decoder is
    /// flushed before and after: send the same unit again to go on from it.
    /// - Returns: nil when the unit does not hold a whole picture.
    public mutating func firstPicture(
        of unit: AccessUnit, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> VideoFrame? {
        flush()
        defer { flush() }
        try send(unit, bytes)
        try drain()
        return try receive()
    }
}
