// SPDX-License-Identifier: Apache-2.0
import Time

/// The limits within which a received stream is good, with the defaults of ETSI TR 101 290 where it gives them.
public struct MonitorLimits: Hashable, Sendable {
    /// The longest time between two sections of the PAT, and between two of the program's PMT.
    public var pat = Nanoseconds.milliseconds(500)
    public var pmt = Nanoseconds.milliseconds(500)
    /// The longest time without a packet of a PID of the program, and without a CAT while packets are scrambled.
    public var pid = Nanoseconds.seconds(5)
    /// The longest time between two PCRs: beyond the first is an error, beyond the second is counted as `pcrInterval`.
    public var pcrRepetition = Nanoseconds.milliseconds(100)
    public var pcrInterval = Nanoseconds.milliseconds(40)
    /// The largest difference between the values of two successive PCRs.
    public var pcrDiscontinuity = Nanoseconds.milliseconds(100)
    /// The largest difference between a PCR and the value that the constant rate predicts.
    public var pcrAccuracy = Nanoseconds(500)
    /// The longest time between two PTS of one PID.
    public var pts = Nanoseconds.milliseconds(700)
    /// The two windows in which faults are counted, seconds. Alarms are decided in the short one.
    public var shortWindow = 10
    public var longWindow = 60
    /// Faults in the short window that raise the alarm; at half of them (rounded down) or fewer it ends. 0 disables it.
    public var alarms = MonitorLimits.defaultAlarms

    public static let shortWindowRange = 1...60
    public static let longWindowRange = 1...600

    /// One fault raises an alarm, except for indicators that many good streams trigger.
    public static let defaultAlarms: IndicatorCounts = {
        var counts = IndicatorCounts()
        for indicator in StreamIndicator.allCases { counts[indicator] = 1 }
        counts[.pcrInterval] = 0
        counts[.pcrAccuracy] = 10
        return counts
    }()

    public init() {}
}
