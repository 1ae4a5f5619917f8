// SPDX-License-Identifier: Apache-2.0
import Time

/// What is still good of a received stream, by ETSI TR 101 290 where it says.
public struct MonitorLimits: Hashable, Sendable {
    /// Between two sections of the PAT, and two of the program's map.
    public var pat = Nanoseconds.milliseconds(500)
    public var pmt = Nanoseconds.milliseconds(500)
    /// That a PID of the program may stay away, and the CAT while packets are scrambled.
    public var pid = Nanoseconds.seconds(5)
    /// Between two PCRs: the error, and what is only counted as `pcrInterval`.
    public var pcrRepetition = Nanoseconds.milliseconds(100)
    public var pcrInterval = Nanoseconds.milliseconds(40)
    /// Between the values of two PCRs.
    public var pcrDiscontinuity = Nanoseconds.milliseconds(100)
    /// Between a PCR and what the constant rate says.
    public var pcrAccuracy = Nanoseconds(500)
    /// Between two PTS of a PID.
    public var pts = Nanoseconds.milliseconds(700)
    /// Of the two windows in which faults are counted, seconds; alarms look at the short one.
    public var shortWindow = 10
    public var longWindow = 60
    /// So many faults within the short window raise the alarm, half of them or fewer (rounded down) end it; 0: never one.
    public var alarms = MonitorLimits.defaultAlarms

    public static let shortWindowRange = 1...60
    public static let longWindowRange = 1...600

    /// One fault is an alarm: but for what many good streams have.
    public static let defaultAlarms: IndicatorCounts = {
        var counts = IndicatorCounts()
        for indicator in StreamIndicator.allCases { counts[indicator] = 1 }
        counts[.pcrInterval] = 0
        counts[.pcrAccuracy] = 10
        return counts
    }()

    public init() {}
}
