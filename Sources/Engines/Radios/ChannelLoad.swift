// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// How busy the channel in use was in the last ten seconds.
struct ChannelLoad {
    private struct Sample {
        let time: Monotonic
        let active: Duration
        let busy: Duration
    }

    private static let span: Nanoseconds = .seconds(10)
    private static let mostSamples = 32
    private var frequency: UInt32?
    /// Oldest first; only the first may be older than the window.
    private var samples: [Sample] = []

    /// - Parameter survey: of the channel in use; nil if the radio has none.
    mutating func observed(_ survey: ChannelSurvey?, at now: Monotonic) {
        guard let survey, let active = survey.active, let busy = survey.busy else {
            samples = []
            return
        }
        if survey.frequency != frequency { samples = [] }
        if let last = samples.last, active < last.active || busy < last.busy { samples = [] }
        frequency = survey.frequency
        samples.append(Sample(time: now, active: active, busy: busy))
        while samples.count > 2, now - samples[1].time >= Self.span || samples.count > Self.mostSamples {
            samples.removeFirst()
        }
    }

    /// nil before the second sample, after one that stepped back, and while the radio does not listen.
    var busyPPM: Int? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let active = Self.milliseconds(last.active - first.active)
        guard active > 0 else { return nil }
        return Int(min(1, Self.milliseconds(last.busy - first.busy) / active) * 1_000_000)
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
    }
}
