// SPDX-License-Identifier: Apache-2.0
import Time

/// What the audio thread needs to know of a piece of coded sound; its octets travel beside it.
public struct AudioUnit: Sendable, BitwiseCopyable {
    public var codec: Codec
    /// Another number: another stream, or the same one begun anew; its decoder starts afresh.
    public var stream: Int
    /// Of Opus, whose packets do not say it; 0: the coded data say.
    public var channels: Int
    /// Unwrapped 90 kHz ticks; nil when the unit has none and follows right behind the one before.
    public var pts: Int64?
    /// What added to `pts` as a span is the media time.
    public var offset: Nanoseconds
    /// See `PlayHead.State.epoch`.
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
