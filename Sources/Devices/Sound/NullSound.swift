// SPDX-License-Identifier: Apache-2.0
import Time

/// An output without a device, which takes samples at the pace at which a device would.
public final class NullSound: SoundOutput {
    public let name = "null"
    public let sampleRate = PacedTimeline.sampleRate
    /// 40 ms: nobody hears the output, so it need not wake more often.
    public let period = PacedTimeline.sampleRate / 25
    public private(set) var underruns: Int64 = 0
    private let clock: any PacingClock
    private var timeline: PacedTimeline

    public init(clock: any PacingClock = SystemPacingClock()) {
        self.clock = clock
        timeline = PacedTimeline(startingAt: clock.now())
    }

    public func nextAudible() -> Monotonic { timeline.nextAudible }

    public func write(_ samples: UnsafeBufferPointer<Float>) {
        if timeline.skip(at: clock.now()) > 0 { underruns += 1 }
        clock.sleep(until: timeline.advance(by: samples.count / 2))
    }
}
