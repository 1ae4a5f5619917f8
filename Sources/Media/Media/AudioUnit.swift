// SPDX-License-Identifier: Apache-2.0
import Time

/// The description of a unit of coded sound for the audio thread. The octets travel beside it.
public struct AudioUnit: Sendable, BitwiseCopyable {
    public var codec: Codec
    /// Number of the stream. A new number means another stream or a restart of the same one: the decoder starts afresh.
    public var stream: Int
    /// Number of channels of Opus, whose packets do not state it; 0 if the coded data state it.
    public var channels: Int
    /// Presentation time stamp in unwrapped 90 kHz ticks; nil if the unit has none and follows the previous unit
    /// directly.
    public var pts: Int64?
    /// Difference between the media time and `pts`: media time = `pts` as a span of time + `offset`.
    public var offset: Nanoseconds
    /// Number of the last seek, see `PlaybackClock.State.epoch`.
    public var epoch: Int
    public var isDamaged: Bool

    public init(
        codec: Codec, stream: Int, channels: Int = 0, pts: Int64?, offset: Nanoseconds, epoch: Int,
        isDamaged: Bool = false
    ) {
        self.codec = codec
        self.stream = stream
        self.channels = channels
        self.pts = pts
        self.offset = offset
        self.epoch = epoch
        self.isDamaged = isDamaged
    }
}
