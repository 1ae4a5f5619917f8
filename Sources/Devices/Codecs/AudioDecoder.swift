// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Sound in self-framing form (ADTS, MPEG audio, AC-3) to interleaved samples. Units need not begin or end with a
/// frame: a parser finds the frames across them.
/// - Thread: one, which owns it. Nothing is allocated outside libavcodec once block sizes have been seen.
public struct AudioDecoder: ~Copyable {
    private let context: CodecContext
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private var input: InputPacket
    private let unit: OwnedPacket
    private let frame: OwnedFrame
    // Without an initial value: with it, the throwing init crashes the compiler of 6.0.3.
    private var samples: SampleBuffer
    private var pending: Range<Int>
    /// When the next block begins if the stream does not say.
    private var nextTime: Int64?

    public init(_ codec: Codec) throws(CodecError) {
        precondition(!codec.isVideo)
        let input = try InputPacket()
        let unit = try OwnedPacket()
        let frame = try OwnedFrame()
        let context = try CodecContext.decoder(of: codec) { $0.pointee.request_sample_fmt = AV_SAMPLE_FMT_FLT }
        guard let parser = av_parser_init(Int32(bitPattern: context.pointer.pointee.codec_id.rawValue)) else {
            throw .missing("\(codec.rawValue) parser")
        }
        self.parser = parser
        self.context = context
        self.input = input
        self.unit = unit
        self.frame = frame
        samples = SampleBuffer()
        pending = 0..<0
    }

    deinit { av_parser_close(parser) }

    /// - Parameter bytes: any number of frames and pieces of frames; copied. What `receive` has not taken of the unit
    ///   before is lost.
    public mutating func send(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        pending = 0..<0
        try input.fill(bytes)
        input.pointer.pointee.pts = unit.pts
        input.pointer.pointee.dts = unit.dts
        pending = 0..<bytes.count
    }

    /// Gives every block that the sent unit completes, in order.
    /// - Throws: the first error, after all blocks that could be decoded.
    public mutating func receive(_ body: (AudioBlock) -> Void) throws(CodecError) {
        var firstError: CodecError?
        while !pending.isEmpty {
            do throws(CodecError) {
                guard try parse() else { continue }
                try context.send(packet: unit.pointer)
                while try context.receive(frame: frame.pointer) { body(try block()) }
            } catch {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
    }

    public mutating func flush() {
        context.flush()
        pending = 0..<0
        nextTime = nil
    }

    /// Moves the next whole frame of the pending input into `unit`.
    /// - Returns: false when the input ended before one was whole.
    private mutating func parse() throws(CodecError) -> Bool {
        guard let data = input.pointer.pointee.data else { preconditionFailure("pending input without octets") }
        var found: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        let isStart = pending.lowerBound == 0
        let used = av_parser_parse2(
            parser, context.pointer, &found, &size, data + pending.lowerBound, Int32(pending.count),
            isStart ? input.pointer.pointee.pts : tl_no_timestamp,
            isStart ? input.pointer.pointee.dts : tl_no_timestamp,
            0)
        guard used >= 0, used > 0 || size > 0 else {
            pending = 0..<0
            throw .invalidData
        }
        pending = min(pending.lowerBound + Int(used), pending.upperBound)..<pending.upperBound
        unit.pointer.pointee.data = found
        unit.pointer.pointee.size = size
        unit.pointer.pointee.pts = parser.pointee.pts
        return size > 0
    }

    private mutating func block() throws(CodecError) -> AudioBlock {
        let fields = frame.pointer.pointee
        let (rate, channels) = (Int(fields.sample_rate), Int(fields.ch_layout.nb_channels))
        guard (1...8).contains(channels), (1_000...768_000).contains(rate) else {
            throw .unsupportedFormat("\(channels) channels at \(rate) Hz")
        }
        let time = fields.pts == tl_no_timestamp ? nextTime : fields.pts
        nextTime = time.map { $0 &+ Int64(fields.nb_samples) * 90_000 / Int64(rate) }
        return AudioBlock(
            sampleRate: rate, channels: channels, samples: try samples.interleave(frame.pointer), pts: time)
    }
}
