// SPDX-License-Identifier: Apache-2.0
import Time

/// How a session is held to a timeline.
public struct SyncConfiguration: Hashable, Sendable {
    public enum Strategy: String, Hashable, Sendable {
        /// By rate, which nobody hears; by a jump only to acquire and beyond the jump threshold.
        case adapt
        /// By jumps alone, as the reference does.
        case seek
    }

    public enum Leader: Hashable, Sendable {
        /// Errors within the threshold are left alone.
        case television
        /// Boxes beside each other are heard together: errors are left alone only as far as the clocks' bound goes.
        case box
    }

    public enum WithoutTimeline: Hashable, Sendable {
        /// The session plays on, with the drift that was learnt.
        case freeRun
        /// The session plays on for so long, and is then paused.
        case pause(after: Nanoseconds)
    }

    /// What is done at timeline speeds other than 0 that differ from 1 by more than rate can follow.
    public enum OtherSpeeds: Hashable, Sendable {
        /// The session is paused. It is acquired anew when the speed is normal again.
        case hold
        /// The session plays at normal speed and jumps to the timeline's position once in an interval.
        case seek
    }

    public var strategy = Strategy.adapt
    public var leader = Leader.television
    /// Half the width of the dead band, within which nothing is corrected (CSS-09).
    public var threshold = Nanoseconds.milliseconds(20)
    /// A correction goes on until the error is this part of the dead band.
    public var hysteresis = 0.5
    /// Errors beyond it are jumped over even after the acquisition.
    public var jumpThreshold = Nanoseconds.milliseconds(60)
    /// How often jumps are considered by the strategy `seek` and for speeds that cannot be followed (CSS-08).
    public var interval = Nanoseconds.seconds(4)
    /// Parts per million by which the session is played faster or slower, at most; more than 5 000 counts as 5 000.
    public var greatestRate: Int64 = 5_000
    /// How much later light and sound leave the display and the loudspeaker than the owner's measurement says.
    public var outputDelay = Nanoseconds.zero
    public var withoutTimeline = WithoutTimeline.freeRun
    public var otherSpeeds = OtherSpeeds.hold
    /// How long the picture may stand to wait for a timeline that is behind what the history holds. Boxes beside each
    /// other wait for each other in this way even if the history reaches as far back.
    public var longestWait = Nanoseconds.seconds(2)

    public init() {}

    /// Half the width of the dead band while the error is known within `uncertainty`: nothing narrower is known to be
    /// an error.
    func deadBand(uncertainty: Double) -> Double {
        let narrowest: Double =
            switch leader {
            case .television: Double(threshold.count)
            case .box: min(Double(threshold.count), 250_000)
            }
        return max(narrowest, uncertainty)
    }
}
