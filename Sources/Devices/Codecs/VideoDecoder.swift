// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Decodes access units to pictures in software, by libavcodec. Damaged units cause errors or damaged pictures but
/// never end it; size and format may change at any random-access unit.
///
/// Between two calls of `send`, call `receive` until it returns nil. Pictures may lag behind their units by the
/// stream's reorder depth; `firstPicture` decodes a random-access unit at once.
/// - Thread: one, which owns it. Frames may be released on any thread, also after the decoder.
public struct VideoDecoder: ~Copyable {
    /// What is skipped to save time; each level includes the levels before it.
    public enum SkipLevel: Int, Sendable, Hashable, CaseIterable {
        case none, loopFilter, nonReference
        /// All pictures that refer to others.
        case nonKey
    }

    /// Limit on the pixels of a picture, that of DCI 4K. Larger pictures are refused before memory is allocated.
    public static let mostPixels = 4_096 * 2_304

    /// May be changed between any two units.
    public var skip: SkipLevel { didSet { applySkip() } }
    /// Whether pictures are output that are wrong because decoding did not begin at a random-access point. May be changed
    /// between any two units.
    public var showsAll = false { didSet { applyShowsAll() } }
    private let context: CodecContext
    private let probe: PictureSizeProbe
    private var input: InputPacket
    /// The frame that `receive` fills next; nil after it was handed out as a picture.
    private var spare: UnsafeMutablePointer<AVFrame>?
    /// Size announced by the newest random-access unit if it was too large, otherwise nil.
    private var refused: (width: Int, height: Int)?
    /// Times of units that lost packets. Their pictures count as damaged, even if error concealment hides this from
    /// libavcodec.
    private var damagedTimes: [Int64]
    private var nextDamaged: Int

    /// - Parameter threads: 1...16. Each thread decodes one picture; each beyond the first delays all pictures by one.
    public init(_ codec: Codec, threads: Int = 1) throws(CodecError) {
        precondition(codec.isVideo && (1...16).contains(threads))
        try self.init(codec, by: avcodec_find_decoder(codec.libraryID)) { context in
            context.pointee.thread_count = Int32(threads)
            context.pointee.thread_type = FF_THREAD_FRAME
        }
    }

    /// - Parameter configure: sets fields before the decoder is opened.
    init(
        _ codec: Codec, by decoder: UnsafePointer<AVCodec>?,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(CodecError) {
        let input = try InputPacket()
        let probe = try PictureSizeProbe(codec)
        context = try CodecContext.decoder(of: codec, by: decoder) { context in
            context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED  // crop exactly, not to SIMD alignment
            // This admits whatever passes the probe: libavcodec's count includes margins of its buffers.
            context.pointee.max_pixels = Int64(Self.mostPixels) * 9 / 8
            configure(context)
        }
        self.probe = probe
        self.input = input
        (skip, spare, refused) = (.none, nil, nil)
        damagedTimes = [Int64](repeating: .min, count: 32)  // here, not at the declaration: Swift 6.0.3 crashes
        nextDamaged = 0
    }

    deinit {
        var unused = spare
        av_frame_free(&unused)
    }

    /// - Parameter bytes: the unit in Annex B form (MPEG-2: with start codes); copied.
    /// - Throws: `tooLarge` for a unit that announces too large a size, and for all units that depend on it.
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

    private func applyShowsAll() {
        let (corrupt, all) = (Int32(bitPattern: UInt32(AV_CODEC_FLAG_OUTPUT_CORRUPT)), Int32(AV_CODEC_FLAG2_SHOW_ALL))
        if showsAll {
            context.pointer.pointee.flags |= corrupt
            context.pointer.pointee.flags2 |= all
        } else {
            context.pointer.pointee.flags &= ~corrupt
            context.pointer.pointee.flags2 &= ~all
        }
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

    /// The next picture in presentation order; nil if more units are needed.
    public mutating func receive() throws(CodecError) -> VideoFrame? {
        guard let (frame, isDamaged) = try receiveFrame() else { return nil }
        do throws(CodecError) {
            return VideoFrame(adopting: frame, as: try VideoFrame.PixelFormat(of: frame), isDamaged: isDamaged)
        } catch {
            spare = frame
            throw error
        }
    }

    /// Like `receive`, but returns libavcodec's frame, which the caller frees.
    mutating func receiveFrame() throws(CodecError) -> (frame: UnsafeMutablePointer<AVFrame>, isDamaged: Bool)? {
        guard let frame = spare ?? av_frame_alloc() else { throw .outOfMemory }
        spare = frame
        guard try context.receive(frame: frame) else { return nil }
        spare = nil
        return (frame, damagedTimes.contains(frame.pointee.pts))
    }

    /// Ends the stream: `receive` then returns the pictures still inside. Call `flush` before the next unit.
    public mutating func drain() throws(CodecError) { try context.send(packet: nil) }

    /// Drops all state; the next unit should be a random-access point.
    public mutating func flush() {
        context.flush()
        for index in damagedTimes.indices { damagedTimes[index] = .min }
    }

    /// Decodes one random-access unit alone and returns its picture without waiting for reordering. The decoder is
    /// flushed before and after, so send the same unit again to continue from it.
    /// - Returns: nil if the unit does not hold a complete picture.
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
