// SPDX-License-Identifier: Apache-2.0

/// The flow of a channel to which a datagram belongs, told by the port to which it came.
public enum FlowPart: Int, Sendable, CaseIterable {
    case media
    /// The same packets by a second path (ST 2022-7).
    case secondPath
    /// Repair packets of protection windows, or column parity (ST 2022-1).
    case repair
    /// Row parity (ST 2022-1).
    case rows

    var isMedia: Bool { self == .media || self == .secondPath }
}
