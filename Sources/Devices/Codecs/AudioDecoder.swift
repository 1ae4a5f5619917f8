// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Decodes audio to interleaved samples. Units of the self-framing codecs (ADTS, LATM, MPEG audio, AC-3) need not begin
/// or end with a frame, because a parser finds frames across units. A unit of Opus is one packet. Rate and channels may
/// change from block to block.
/// - Thread: one, which owns it. Once block sizes have been seen, only libavcodec allocates.
public struct AudioDecoder: ~Copyable {
    private let codec: Codec
    private var context: CodecContext
    /// For Opus, the number of channels that `context` was made for.
    private var channels: Int
    private var parser: FrameParser
    private var input: InputPacket
    private let unit: OwnedPacket
    private let frame: OwnedFrame
    // No initial value here: with one, the throwing init crashes the compiler of Swift 6.0.3.
    private var samples: SampleBuffer
    private var pending: Range<Int>
    private var clock: SampleClock

    /// - Parameter channels: for Opus only, 0 for stereo. If a unit states another number, the unit's counts.
    public init(_ codec: Codec, channels: Int = 0) throws(CodecError) {
        precondition(!codec.isVideo)
        let channels = codec == .opus ? try Self.opusChannels(channels) : 0
        let input = try InputPacket()
        let unit = try OwnedPacket()
        let frame = try OwnedFrame()
        let context = try Self.open(codec, channels: channels)
        let parser = try FrameParser(codec)
        self.parser = parser
        self.codec = codec
        self.channels = channels
        self.context = context
        self.input = input
        self.unit = unit
        self.frame = frame
        samples = SampleBuffer()
        pending = 0..<0
        clock = SampleClock()
    }

    /// - Parameter bytes: any number of frames and parts of frames, or one packet of Opus; copied. What `receive` has
    ///   not yet decoded of the previous unit is lost.
    public mutating func send(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        pending = 0..<0
        if codec == .opus, unit.channels != 0, unit.channels != channels {
            let channels = try Self.opusChannels(unit.channels)
            context = try Self.open(codec, channels: channels)
            self.channels = channels
        }
        try input.fill(bytes)
        input.pointer.pointee.pts = unit.pts ?? tl_no_timestamp
        input.pointer.pointee.dts = input.pointer.pointee.pts
        pending = 0..<bytes.count
    }

    /// Passes on each block that the sent unit completes, in order.
    /// - Throws: the first error, after all blocks that could be decoded.
    public mutating func receive(_ body: (AudioBlock) -> Void) throws(CodecError) {
        var firstError: CodecError?
        while !pending.isEmpty {
            do throws(CodecError) {
                guard try nextFrame() else { continue }
                try context.send(packet: parser.isNeeded ? unit.pointer : input.pointer)
                while try context.receive(frame: frame.pointer) { body(try block()) }
            } catch {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
    }

    /// Drops all state, including a partial frame.
    public mutating func flush() {
        context.flush()
        pending = 0..<0
        clock = SampleClock()
        do throws(CodecError) {
            parser = try FrameParser(codec)
        } catch {
            // Out of memory: keeping the old parser yields one wrong frame at worst.
        }
    }

    /// Moves the next complete frame of the pending input into `unit`. For Opus the input itself is the frame.
    /// - Returns: false if the input ended before a frame was complete.
    private mutating func nextFrame() throws(CodecError) -> Bool {
        guard let data = input.pointer.pointee.data else { preconditionFailure("pending input without octets") }
        let (start, end) = (pending.lowerBound, pending.upperBound)
        pending = end..<end  // also when the parser throws
        guard parser.isNeeded else { return true }
        let time = start == 0 ? input.pointer.pointee.pts : tl_no_timestamp
        let used = try parser.parse(data + start, end - start, time: time, context, into: unit.pointer)
        pending = start + used..<end
        return unit.pointer.pointee.size > 0
    }

    private mutating func block() throws(CodecError) -> AudioBlock {
        let fields = frame.pointer.pointee
        let (rate, channels) = (Int(fields.sample_rate), Int(fields.ch_layout.nb_channels))
        guard (1...8).contains(channels), (1_000...768_000).contains(rate), fields.nb_samples >= 0 else {
            throw .unsupportedFormat("\(channels) channels at \(rate) Hz")
        }
        let stamp = fields.pts == tl_no_timestamp ? nil : fields.pts
        let time = clock.advance(by: Int(fields.nb_samples), at: rate, stamp: stamp)
        return AudioBlock(
            sampleRate: rate, channels: channels,
            channelMask: fields.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? fields.ch_layout.u.mask : 0,
            samples: try samples.interleave(frame.pointer), pts: time)
    }

    private static func opusChannels(_ channels: Int) throws(CodecError) -> Int {
        guard (0...OpusHead.mostChannels).contains(channels) else {
            throw .unsupportedFormat("\(channels) channels of Opus")
        }
        return channels == 0 ? 2 : channels
    }

    /// - Parameter channels: for Opus only.
    private static func open(_ codec: Codec, channels: Int) throws(CodecError) -> CodecContext {
        let head = codec == .opus ? OpusHead.bytes(channels: channels) : []
        let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
        return try CodecContext.decoder(of: codec, by: avcodec_find_decoder(codec.libraryID)) { context in
            context.pointee.request_sample_fmt = AV_SAMPLE_FMT_FLT
            guard !head.isEmpty, let memory = av_mallocz(head.count + padding) else { return }
            memory.copyMemory(from: head, byteCount: head.count)
            context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
            context.pointee.extradata_size = Int32(head.count)  // freed with the context
        }
    }
}
