// SPDX-License-Identifier: Apache-2.0
import Time

/// How lost packets of a channel are repaired.
public enum Repair: Hashable, Sendable {
    case windows(RepairWindows)
    case parity(RepairParity)

    /// Whether the box found it by itself.
    public var isFound: Bool { if case .parity(let parity) = self { parity.isFound } else { false } }

    /// The longest time after a packet in which its repair may arrive. The channel's play-out delay is at least this.
    public var span: Nanoseconds {
        switch self {
        case .windows(let windows): windows.span
        case .parity(let parity): parity.span
        }
    }
}
