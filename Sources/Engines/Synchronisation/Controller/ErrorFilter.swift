// SPDX-License-Identifier: Apache-2.0

/// Estimates the error of a session and its drift from noisy measurements, knowing how the session is steered: a Kalman
/// filter of two states. It learns the noise of the measurements by itself, so it needs no settings for a display that
/// tells its presentation times and for one that rounds them to vblanks.
///
/// A measurement that is too far off is suspected and not used. Three in a row that agree are a step of the timeline:
/// the error follows at once, and the drift that was learnt stays.
///
/// Errors are nanoseconds, positive if the session is late. Drift is nanoseconds a second.
struct ErrorFilter: Sendable {
    /// Measurements after which the error is known well enough to act on.
    static let enough = 3

    private enum Assumed {
        /// Variance of a measurement before any was seen, and its limits.
        static let noise = 5e5 * 5e5
        static let leastNoise = 5e4 * 5e4
        static let mostNoise = 5e7 * 5e7
        /// What a box tells of itself is exact but for its clock. Measurements that differ by more differ since one of the two
        /// moves, and who took that for noise would be seconds late to see where it has arrived.
        static let mostNoiseOfBoxes = 1e6 * 1e6
        /// Crystals are within 100 ppm of each other.
        static let drift = 1e5 * 1e5
        /// The drift of a crystal wanders with temperature: 0.2 ppm in a second.
        static let wandering = 200.0 * 200.0
        /// A wall clock is slewed now and then: 50 µs in a second.
        static let slewing = 5e4 * 5e4
        /// How exactly a session follows its rate. What it has buffered is played at the old one.
        static let obedience = 0.05
        /// A measurement is suspected beyond four standard deviations.
        static let gate = 4.0 * 4.0
        /// The drift counts as unknown beyond this.
        static let mostDrift = 1e6
    }

    /// Without knowing the noise nothing can be told of the drift.
    private static let noiseIsKnown = 10
    /// Seconds: how far the error drifts in a longer time is not known at all.
    private static let longest = 3_600.0

    private(set) var error = 0.0
    private(set) var drift = 0.0
    /// Measurements that the error rests on, since it was unknown.
    private(set) var measurements = 0
    private var errorVariance = 0.0
    private var covariance = 0.0
    private var driftVariance = Assumed.drift
    private var noise = Assumed.noise
    private let mostNoise: Double
    /// Measurements from which the noise was learnt.
    private var noiseSamples = 0
    /// How far the last measurements, all suspected or the first ones, were from what was expected.
    private var doubtful: [Double] = []

    init(leader: SyncConfiguration.Leader) {
        mostNoise = leader == .box ? Assumed.mostNoiseOfBoxes : Assumed.mostNoise
    }

    var isKnown: Bool { measurements >= Self.enough && doubtful.isEmpty }

    /// Three standard deviations of the error.
    var uncertainty: Double { 3 * errorVariance.squareRoot() }

    /// The error is unknown from now on. Drift and noise are kept.
    mutating func forgetError() {
        measurements = 0
        (errorVariance, covariance) = (0, 0)
        doubtful = []
    }

    /// Time goes on.
    /// - Parameter gained: by the rate of the session beyond that of the timeline, nanoseconds.
    mutating func advance(seconds: Double, gained: Double) {
        error += drift * seconds - gained
        let seconds = min(Self.longest, seconds)
        let disobedience = Assumed.obedience * (gained - drift * seconds)
        errorVariance += 2 * seconds * covariance + seconds * seconds * driftVariance
        errorVariance += Assumed.slewing * seconds + disobedience * disobedience
        covariance += seconds * driftVariance
        driftVariance = min(Assumed.drift, driftVariance + Assumed.wandering * seconds)
    }

    mutating func add(_ measured: Double) {
        guard measurements >= Self.enough else { return begin(measured) }
        let difference = measured - error
        let variance = errorVariance + noise
        guard difference * difference <= Assumed.gate * variance else { return suspect(difference) }
        doubtful = []
        measurements += 1
        let (gain, driftGain) = (errorVariance / variance, covariance / variance)
        error += gain * difference
        errorVariance -= gain * errorVariance
        if noiseSamples >= Self.noiseIsKnown {
            drift = max(-Assumed.mostDrift, min(Assumed.mostDrift, drift + driftGain * difference))
            driftVariance = max(0, driftVariance - driftGain * covariance)
            covariance -= gain * covariance
        } else {
            covariance = 0
        }
        learnNoise(max(0, difference * difference - errorVariance))
    }

    /// The first measurements: their median is the error. The first of all also tell how noisy they are.
    private mutating func begin(_ measured: Double) {
        if measurements == 0 { error = measured }
        measurements += 1
        doubtful.append(measured - error)
        guard measurements == Self.enough else { return }
        let (_, median, spread) = Self.summary(of: doubtful)
        if noiseSamples == 0 {
            // Three values of a normal distribution are 1.7 standard deviations apart on the average.
            noise = max(noise, min(mostNoise, spread * spread / 2.9))
        }
        move(by: median)
    }

    private mutating func learnNoise(_ sample: Double) {
        noiseSamples += 1
        let part = 1 / Double(max(4, min(16, noiseSamples)))
        noise = max(Assumed.leastNoise, min(mostNoise, noise + part * (sample - noise)))
    }

    private mutating func suspect(_ difference: Double) {
        doubtful.append(difference)
        guard doubtful.count >= Self.enough else { return }
        let (isOneSided, median, spread) = Self.summary(of: doubtful.suffix(Self.enough))
        if isOneSided, spread <= max(8 * noise.squareRoot(), median.magnitude / 2) {
            move(by: median)
        } else if doubtful.count >= 2 * Self.enough {
            // They do not agree for long: the measurements are noisier than was known.
            noise = min(mostNoise, max(4 * noise, spread * spread / 2.9))
            move(by: median)
        }
    }

    /// Of three.
    private static func summary(
        of differences: some Sequence<Double>
    ) -> (isOneSided: Bool, median: Double, spread: Double) {
        let sorted = differences.sorted()
        let (lowest, highest) = (sorted[0], sorted[sorted.count - 1])
        return (lowest.sign == highest.sign, sorted[sorted.count / 2], highest - lowest)
    }

    private mutating func move(by difference: Double) {
        error += difference
        (errorVariance, covariance) = (noise, 0)
        measurements = Self.enough
        doubtful = []
    }
}
