// SPDX-License-Identifier: Apache-2.0
import Bytes
internal import CLibAVCodec
import Media

/// Encodes interleaved samples to AAC-LC in ADTS frames.
/// - Thread: one, which owns it.
public struct AudioEncoder: ~Copyable {
    public let sampleRate: Int
    public let channels: Int
    private let context: CodecContext
    private let frame: OwnedFrame
    private let packet: OwnedPacket
    private let framing: ADTSFrame
    private let framesPerBlock: Int
    /// Number of frames of the current block that are filled.
    private var filled: Int
    private var blocks: Int64
    private var output: [UInt8]

    /// - Parameters:
    ///   - sampleRate: a rate that ADTS can express: 48 000, 44 100, 32 000 …
    ///   - channels: 1 or 2.
    public init(sampleRate: Int = 48_000, channels: Int = 2, kilobitsPerSecond: Int = 128) throws(CodecError) {
        guard let framing = ADTSFrame(sampleRate: sampleRate, channels: channels), channels <= 2 else {
            preconditionFailure("\(channels) channels at \(sampleRate) Hz")
        }
        let packet = try OwnedPacket()
        let frame = try OwnedFrame()
        let context = try CodecContext(avcodec_find_encoder(AV_CODEC_ID_AAC), named: "aac encoder") { context in
            context.pointee.sample_rate = Int32(sampleRate)
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            context.pointee.bit_rate = Int64(kilobitsPerSecond) * 1_000
            context.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
            av_channel_layout_default(&context.pointee.ch_layout, Int32(channels))
        }
        frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointer.pointee.sample_rate = Int32(sampleRate)
        frame.pointer.pointee.nb_samples = context.pointer.pointee.frame_size
        av_channel_layout_default(&frame.pointer.pointee.ch_layout, Int32(channels))
        try frame.allocate()
        (filled, blocks, output) = (0, 0, [])  // assigned here, not at the declaration: Swift 6.0.3 would crash
        self.sampleRate = sampleRate
        self.channels = channels
        framesPerBlock = Int(context.pointer.pointee.frame_size)
        self.framing = framing
        self.packet = packet
        self.frame = frame
        self.context = context
    }

    /// Takes any number of samples and passes on the ADTS frames that they complete.
    /// - Parameter samples: interleaved, -1...1; a whole number of frames.
    public mutating func encode(
        _ samples: UnsafeBufferPointer<Float>, _ body: (EncodedUnit) -> Void
    ) throws(CodecError) {
        precondition(samples.count % channels == 0)
        var done = 0
        let total = samples.count / channels
        while done < total {
            if filled == 0 { try frame.makeWritable() }
            let count = min(total - done, framesPerBlock - filled)
            for channel in 0..<channels {
                guard let plane = frame.pointer.pointee.extended_data[channel] else { throw .outOfMemory }
                let target = UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self) + filled
                for index in 0..<count { target[index] = samples[(done + index) * channels + channel] }
            }
            done += count
            filled += count
            if filled == framesPerBlock { try encodeBlock(body) }
        }
    }

    private mutating func encodeBlock(_ body: (EncodedUnit) -> Void) throws(CodecError) {
        filled = 0
        frame.pointer.pointee.pts = blocks * Int64(framesPerBlock)
        blocks += 1
        try context.send(frame: frame.pointer)
        while try context.receive(packet: packet.pointer) {
            let time = packet.pointer.pointee.pts * 90_000 / Int64(sampleRate)
            output.removeAll(keepingCapacity: true)
            guard (1...ADTSFrame.largestPayload).contains(packet.bytes.count) else { throw .invalidData }
            framing.append(packet.bytes, to: &output)
            output.withUnsafeBytes { body(EncodedUnit(bytes: $0, pts: time, dts: time, isKey: true)) }
        }
    }
}
