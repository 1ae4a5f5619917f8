// SPDX-License-Identifier: Apache-2.0
import Forwarding

/// What a reporter knows a report of one box by.
struct ReportID: Hashable {
    let boot: BootID
    let sequence: UInt64

    static func all(_ sequences: RangeSet<UInt64>, of boot: BootID) -> [ReportID] {
        sequences.ranges.joined().map { ReportID(boot: boot, sequence: $0) }
    }
}
