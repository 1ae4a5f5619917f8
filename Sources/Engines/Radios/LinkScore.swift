// SPDX-License-Identifier: Apache-2.0
import Time

/// How good the link of a client is, 0…10 (SVM-114). No standard has such a number; this formula is the product's own:
///
/// 1. SNR is the average signal less the noise, in dB; noise that the driver does not tell counts as -95 dBm.
/// 2. The base is (SNR - 5) / 3.5, within 0…10: 5 dB are 0, 22 dB about 5, 40 dB are 10.
/// 3. 10 × failed / (transmitted + failed) is deducted, at most 4: packets that were given up.
/// 4. 6 × (retries / (transmitted + failed) - 0.1) is deducted, at least 0 and at most 3.
/// 5. 1 is deducted for each loss of beacons, at most 3.
/// 6. It is rounded to the nearest integer and is at least 1 while the client is associated; it is 0 if it is not.
///
/// What is counted is that of the last ten seconds. What the driver does not count deducts nothing; without a signal
/// there is no score. A change is shown with the second sample in a row that lies on the same side of what is shown.
public struct LinkScore: Sendable {
    /// Counted within the window. nil if the driver does not count it.
    public struct Losses: Hashable, Sendable {
        public var transmitted: UInt64?
        public var failed: UInt64?
        public var retries: UInt64?
        public var beaconLosses: UInt64?

        public init(
            transmitted: UInt64? = nil, failed: UInt64? = nil, retries: UInt64? = nil, beaconLosses: UInt64? = nil
        ) {
            self.transmitted = transmitted
            self.failed = failed
            self.retries = retries
            self.beaconLosses = beaconLosses
        }
    }

    private static let span: Nanoseconds = .seconds(10)
    private static let mostSamples = 32
    /// Oldest first; only the first may be older than the window.
    private var samples: [(time: Monotonic, totals: RadioTotals)] = []
    /// A sample before this one was above (1) or below (-1) what is shown.
    private var leaning = 0
    /// 1…10 of a client that is associated; nil before its first sample with a signal.
    public private(set) var value: Int?

    public init() {}

    /// - Parameters:
    ///   - signal: average signal in dBm.
    ///   - noise: dBm; nil if it is not known.
    public static func value(signal: Int, noise: Int?, losses: Losses = Losses()) -> Int {
        let ratio = Double(signal - (noise ?? -95))
        var score = min(max((ratio - 5) / 3.5, 0), 10)
        if let transmitted = losses.transmitted {
            let tried = Double(transmitted) + Double(losses.failed ?? 0)
            if tried > 0 {
                if let failed = losses.failed { score -= min(4, 10 * Double(failed) / tried) }
                if let retries = losses.retries { score -= min(3, 6 * max(0, Double(retries) / tried - 0.1)) }
            }
        }
        score -= min(3, Double(losses.beaconLosses ?? 0))
        return max(1, Int(score.rounded()))
    }

    /// - Parameter signal: average signal in dBm; without one what is shown stays.
    mutating func observed(signal: Int?, noise: Int?, totals: RadioTotals, at now: Monotonic) {
        samples.append((now, totals))
        while samples.count > 2, now - samples[1].time >= Self.span || samples.count > Self.mostSamples {
            samples.removeFirst()
        }
        guard let signal else { return }
        let score = Self.value(signal: signal, noise: noise, losses: losses)
        guard let shown = value else {
            value = score
            return
        }
        let direction = (score - shown).signum()
        if direction != 0, direction == leaning {
            value = score
            leaning = 0
        } else {
            leaning = direction
        }
    }

    private var losses: Losses {
        guard let first = samples.first?.totals, let last = samples.last?.totals else { return Losses() }
        let deltas = last.since(first)
        return Losses(
            transmitted: deltas[.transmittedPackets], failed: deltas[.transmitFailures],
            retries: deltas[.transmitRetries], beaconLosses: deltas[.beaconLosses])
    }
}
