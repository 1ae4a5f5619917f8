// SPDX-License-Identifier: Apache-2.0

/// Decoded sound, borrowed for one call: interleaved samples of -1...1.
public struct AudioBlock {
    public let sampleRate: Int
    /// Number of channels, 1...8.
    public let channels: Int
    /// The loudspeakers of the channels, in order: one bit each, as in FFmpeg and WAVE. 0 if unknown.
    public let channelMask: UInt64
    /// Interleaved samples; their number is frames times channels.
    public let samples: UnsafeBufferPointer<Float>
    /// Presentation time of the first sample, unwrapped 90 kHz ticks; nil if the stream gave none.
    public let pts: Int64?

    public init(
        sampleRate: Int, channels: Int, channelMask: UInt64 = 0, samples: UnsafeBufferPointer<Float>, pts: Int64?
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.channelMask = channelMask
        self.samples = samples
        self.pts = pts
    }

    public var frames: Int { channels > 0 ? samples.count / channels : 0 }
}
