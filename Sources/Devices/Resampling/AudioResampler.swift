// SPDX-License-Identifier: Apache-2.0
internal import CLibSWResample
import Time

/// Converts audio of any rate and up to eight channels to stereo of another rate, by libswresample. The ratio can be
/// corrected while it runs.
/// - Thread: one, which owns it. Once block sizes have been seen, only libswresample allocates.
public final class AudioResampler {
    /// Greatest correction in parts per billion, in either direction: 0.5 %.
    public static let largestCorrection = 5_000_000

    public let format: SourceFormat
    public let sampleRate: Int
    private let context: OpaquePointer
    private var output = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

    /// - Parameter sampleRate: rate of the output, 8 000...192 000 Hz.
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

    /// How many more output frames are made than the rates imply, in parts per billion, limited to -5 000 000...5 000
    /// 000. A positive value plays slower. It takes effect with the next block, in steps of about 1 000, without an
    /// audible click.
    public var correction = 0 {
        didSet { correction = max(-Self.largestCorrection, min(Self.largestCorrection, correction)) }
    }

    /// Duration of the input that is buffered: the next output lies this far before the next input.
    public var delay: Nanoseconds { Nanoseconds(swr_get_delay(context, 1_000_000_000)) }

    /// - Returns: interleaved stereo, valid until the next call; empty until about 16 frames have been given in all.
    public func convert(_ samples: UnsafeBufferPointer<Float>) throws(ResamplingError) -> UnsafeBufferPointer<Float> {
        let frames = samples.count / format.channels
        guard frames > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
        // The distance is counted in output frames and would run out after hours, so it is set again each time.
        let code = swr_set_compensation(context, Int32(correction), correction == 0 ? 0 : 1_000_000_000)
        guard code >= 0 else { throw .failed(call: "swr_set_compensation", code: code) }
        let room = swr_get_out_samples(context, Int32(frames))
        guard room >= 0 else { throw .failed(call: "swr_get_out_samples", code: room) }
        makeRoom(Int(room) * 2)
        let count = tl_swr_convert(context, output.baseAddress, room, samples.baseAddress, Int32(frames))
        guard count >= 0 else { throw .failed(call: "swr_convert", code: count) }
        return UnsafeBufferPointer(rebasing: output[..<(Int(count) * 2)])
    }

    /// Drops buffered input; the next block begins anew. The filter is kept, because making it takes longer than
    /// converting a second of audio.
    public func reset() throws(ResamplingError) {
        let code = swr_init(context)
        guard code >= 0 else { throw .failed(call: "swr_init", code: code) }
    }

    private func makeRoom(_ count: Int) {
        guard output.count < count else { return }
        output.deallocate()
        output = .allocate(capacity: count * 2)  // room for what a correction adds
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

    /// Silences libavutil's log to standard error; failures are thrown and counted instead.
    private static let silenceLog: Void = av_log_set_level(AV_LOG_QUIET)
}
