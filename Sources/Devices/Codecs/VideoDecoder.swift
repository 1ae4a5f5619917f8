// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Access units to pictures by libavcodec in software. Damaged units are errors or damaged pictures, never the end; size
/// and format may change at any random-access unit.
///
/// Between two `send`s, `receive` until it answers nil. One picture may lag behind its unit by the stream's reorder
/// depth; `firstPicture` shows a random-access unit at once.
/// - Thread: one, which owns it. Frames may end on any thread, also after the decoder.
public struct VideoDecoder: ~Copyable {
    /// What is left out to save time; each level leaves out what those before it do.
    public enum SkipLevel: Int, Sendable, Hashable, CaseIterable {
        case none, loopFilter, nonReference
        /// Only pictures that refer to no other.
        case nonKey
    }

    /// Of a picture: DCI 4K. Larger ones are refused before memory is taken for them.
    public static let mostPixels = 4_096 * 2_304

    /// May be set between any two units.
    public var skip: SkipLevel { didSet { applySkip() } }
    private let context: CodecContext
    private let probe: PictureSizeProbe
    private var input: InputPacket
    /// The frame that `receive` fills next; nil after it went out as a picture.
    private var spare: UnsafeMutablePointer<AVFrame>?
    /// The size that the newest random-access unit announced, if it was too large.
    private var refused: (width: Int, height: Int)?
    /// Times of units that lost packets. Their pictures are damaged even where concealment hides it from libavcodec.
    private var damagedTimes: [Int64]
    private var nextDamaged: Int

    /// - Parameter threads: 1...16. Each works on a picture: every one beyond the first delays them all by one.
    public init(_ codec: Codec, threads: Int = 1) throws(CodecError) {
        precondition(codec.isVideo && (1...16).contains(threads))
        try self.init(codec, by: avcodec_find_decoder(codec.libraryID)) { context in
            context.pointee.thread_count = Int32(threads)
            context.pointee.thread_type = FF_THREAD_FRAME
        }
    }

    /// - Parameter configure: sets fields before the decoder opens.
    init(
        _ codec: Codec, by decoder: UnsafePointer<AVCodec>?,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(CodecError) {
        let input = try InputPacket()
        let probe = try PictureSizeProbe(codec)
        context = try CodecContext.decoder(of: codec, by: decoder) { context in
            context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED  // crop to the pixel, not to the SIMD word
            // Whatever passes the probe; libavcodec counts with the margins of its buffers.
            context.pointee.max_pixels = Int64(Self.mostPixels) * 9 / 8
            configure(context)
        }
        self.probe = probe
        self.input = input
        (skip, spare, refused) = (.none, nil, nil)
        damagedTimes = [Int64](repeating: .min, count: 32)  // here, not above: 6.0.3
        nextDamaged = 0
    }

    deinit {
        var unused = spare
        av_frame_free(&unused)
    }

    /// - Parameter bytes: the unit in Annex B (or MPEG video start code) form; copied.
    /// - Throws: `tooLarge`, and the same again for all that depends on that unit.
    public mutating func send(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        try input.fill(bytes)
        if unit.isRandomAccess { checkSize() }
        if let refused { throw .tooLarge(width: refused.width, height: refused.height) }
        input.pointer.pointee.pts = unit.pts
        input.pointer.pointee.dts = unit.dts
        input.pointer.pointee.flags = unit.isRandomAccess ? AV_PKT_FLAG_KEY : 0
        if unit.isDamaged {
            damagedTimes[nextDamaged] = unit.pts
            nextDamaged = (nextDamaged + 1) % damagedTimes.count
        }
        try context.send(packet: input.pointer)
    }

    private mutating func checkSize() {
        guard let size = probe.size(of: input.pointer) else { return }
        let isTooLarge = size.width > Self.mostPixels || size.height > Self.mostPixels / size.width
        refused = isTooLarge ? size : nil
    }

    private func applySkip() {
        context.pointer.pointee.skip_loop_filter = skip == .none ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        context.pointer.pointee.skip_frame =
            switch skip {
            case .none, .loopFilter: AVDISCARD_DEFAULT
            case .nonReference: AVDISCARD_NONREF
            case .nonKey: AVDISCARD_NONKEY
            }
    }

    /// The next picture in presentation order; nil when more units are needed.
    public mutating func receive() throws(CodecError) -> VideoFrame? {
        guard let (frame, isDamaged) = try receiveFrame() else { return nil }
        do throws(CodecError) {
            return VideoFrame(adopting: frame, as: try VideoFrame.PixelFormat(of: frame), isDamaged: isDamaged)
        } catch {
            spare = frame
            throw error
        }
    }

    /// The same as libavcodec gives it: the caller's to free.
    mutating func receiveFrame() throws(CodecError) -> (frame: UnsafeMutablePointer<AVFrame>, isDamaged: Bool)? {
        guard let frame = spare ?? av_frame_alloc() else { throw .outOfMemory }
        spare = frame
        guard try context.receive(frame: frame) else { return nil }
        spare = nil
        return (frame, damagedTimes.contains(frame.pointee.pts))
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
