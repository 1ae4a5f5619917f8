// SPDX-License-Identifier: Apache-2.0

/// `session_link_indicator` (SVM-114): 0 poor … 10 excellent.
public enum LinkIndicator {
    /// In 10^6 packets: two to a decade.
    private static let steps: [Int64] = [10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228]

    /// 10 without loss; a point less from one packet of 100 000 on, and another for each half decade above: 5 at one of
    /// 1 000, 3 at 1 %, 0 at a third.
    /// - Parameter lossPPM: after repair, in 10^6 of what should have come.
    public static func value(lossPPM: Int64) -> Int { 10 - steps.count(where: { $0 <= lossPPM }) }
}
