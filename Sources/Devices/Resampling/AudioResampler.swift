// SPDX-License-Identifier: Apache-2.0
internal import CLibSWResample
import Time

/// Sound of any rate and up to eight channels to stereo of another rate, by libswresample, at a speed that can be
/// corrected while it runs.
/// - Thread: one, which owns it. Nothing is allocated outside libswresample once block sizes have been seen.
public final class AudioResampler {
    /// Parts per billion either way: 0.5 %.
    public static let largestCorrection = 5_000_000

    public let format: SourceFormat
    public let sampleRate: Int
    private let context: OpaquePointer
    private var output = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

    /// - Parameter sampleRate: of the output, 8 000...192 000 Hz.
    public init(from format: SourceFormat, to sampleRate: Int = 48_000) throws(ResamplingError) {
        precondition((8_000...192_000).contains(sampleRate))
        guard format.isSupported else { throw .unsupported(format) }
        self.format = format
        self.sampleRate = sampleRate
        context = try Self.open(format, sampleRate, StereoDownmix(format).weights)
    }

    deinit {
        var closing: OpaquePointer? = context
        swr_free(&closing)
        output.deallocate()
    }

    /// How many more frames come out than the rates say, in parts per billion, -5 000 000...5 000 000: what lies beyond
    /// is cut off. Positive plays slower. Takes effect with the next block, steps of about 1 000; never heard as a click.
    public var correction = 0 {
        didSet { correction = max(-Self.largestCorrection, min(Self.largestCorrection, correction)) }
    }

    /// How much of the source has gone in and not come out: what comes out next lies so far before what goes in next.
    public var delay: Nanoseconds { Nanoseconds(swr_get_delay(context, 1_000_000_000)) }

    /// - Parameter samples: whole frames.
    /// - Returns: interleaved stereo, valid until the next call; a block of 16 frames and more in all gives something.
    public func convert(_ samples: UnsafeBufferPointer<Float>) throws(ResamplingError) -> UnsafeBufferPointer<Float> {
        let frames = samples.count / format.channels
        guard frames > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
        // The distance is in output frames and runs out after hours: set anew each time.
        let code = swr_set_compensation(context, Int32(correction), correction == 0 ? 0 : 1_000_000_000)
        guard code >= 0 else { throw .failed(call: "swr_set_compensation", code: code) }
        let room = swr_get_out_samples(context, Int32(frames))
        guard room >= 0 else { throw .failed(call: "swr_get_out_samples", code: room) }
        makeRoom(Int(room) * 2)
        let count = tl_swr_convert(context, output.baseAddress, room, samples.baseAddress, Int32(frames))
        guard count >= 0 else { throw .failed(call: "swr_convert", code: count) }
        return UnsafeBufferPointer(rebasing: output[..<(Int(count) * 2)])
    }

    /// Forgets what has gone in: the next block begins anew. The filter stays, which takes longer to make than a second of
    /// sound to convert.
    public func reset() throws(ResamplingError) {
        let code = swr_init(context)
        guard code >= 0 else { throw .failed(call: "swr_init", code: code) }
    }

    private func makeRoom(_ count: Int) {
        guard output.count < count else { return }
        output.deallocate()
        output = .allocate(capacity: count * 2)  // what a correction adds is no reason to grow again
    }

    private static func open(
        _ format: SourceFormat, _ sampleRate: Int, _ weights: [Double]
    ) throws(ResamplingError) -> OpaquePointer {
        silenceLog
        var opened: OpaquePointer?
        let code = tl_swr_open(
            &opened, Int32(format.sampleRate), format.channelMask, Int32(format.channels), Int32(sampleRate), weights)
        guard code >= 0, let opened else { throw .failed(call: "swr_init", code: code) }
        return opened
    }

    /// libavutil would write to standard error what is counted instead.
    private static let silenceLog: Void = av_log_set_level(AV_LOG_QUIET)
}
