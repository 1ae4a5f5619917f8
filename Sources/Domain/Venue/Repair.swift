// SPDX-License-Identifier: Apache-2.0
import Time

/// How packets of a channel that were lost are made again.
public enum Repair: Hashable, Sendable {
    case windows(RepairWindows)
    case parity(RepairParity)

    /// How long after a packet its repair may come: the channel's play-out delay is at least that.
    public var span: Nanoseconds {
        switch self {
        case .windows(let windows): windows.span
        case .parity(let parity): parity.span
        }
    }
}
