// SPDX-License-Identifier: Apache-2.0

/// `session_link_indicator` (SVM-114): 0 poor … 10 excellent.
public enum LinkIndicator {
    /// Loss in ppm from which one point is deducted each: two thresholds per decade.
    private static let steps: [Int64] = [10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228]

    /// 10 without loss. One point is deducted from 10 ppm on, and another for each further half decade: 5 at 1 000 ppm,
    /// 3 at 1 %, 0 at a third.
    /// - Parameter lossPPM: packets lost after repair, per million of those that should have come.
    public static func value(lossPPM: Int64) -> Int { 10 - steps.count(where: { $0 <= lossPPM }) }
}
