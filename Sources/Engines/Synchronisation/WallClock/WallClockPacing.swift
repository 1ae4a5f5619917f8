// SPDX-License-Identifier: Apache-2.0
import Time

/// How often the wall clock of a server is asked for.
public struct WallClockPacing: Hashable, Sendable {
    /// Accepted or useless responses after which the clock is acquired, `burstInterval` apart.
    public var burst = 16
    public var burstInterval = Nanoseconds.milliseconds(20)
    /// Responses after the burst that are asked for `settlingInterval` apart while the dispersion is above what is
    /// wanted. As long as the drift is not known, which takes seconds, only what is new tells the offset: where delays
    /// differ by 10 ms, five requests a second leave it wrong by 0.4 ms.
    public var settling = 160
    public var settlingInterval = Nanoseconds.milliseconds(50)
    /// What must do if fewer responses come.
    public var acquisition = Nanoseconds.milliseconds(600)
    /// The next request is sent when the dispersion has grown to this, within the two limits below.
    public var wantedDispersion = Nanoseconds.milliseconds(1)
    public var shortestInterval = Nanoseconds.milliseconds(200)
    public var longestInterval = Nanoseconds.seconds(1)
    /// Requests that wait for a response at the same time, at most.
    public var mostOutstanding = 4
    public var timeout = Nanoseconds.seconds(1)
    /// How long a response that will be followed up waits for it. The response is used without it then.
    public var followUpTimeout = Nanoseconds.milliseconds(200)
    /// A server that has been silent for so long is lost.
    public var silence = Nanoseconds.seconds(3)

    public init() {}

    /// The time from a request to the next.
    /// - Parameter estimate: nil if nothing is known; the server is asked no more often than need be.
    func interval(_ estimate: WallClockEstimate?, dispersion: Nanoseconds) -> Nanoseconds {
        guard let estimate else { return longestInterval }
        guard dispersion < wantedDispersion else { return shortestInterval }
        guard let span = estimate.frequencyError.span(until: wantedDispersion - dispersion) else {
            return longestInterval
        }
        return max(shortestInterval, min(longestInterval, span))
    }
}
