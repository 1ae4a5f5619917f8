// SPDX-License-Identifier: Apache-2.0

/// Which of a channel's flows a datagram is of, by the port to which it came.
public enum FlowPart: Int, Sendable, CaseIterable {
    case media
    /// The same packets once more.
    case secondPath
    /// Of windows, or the columns of parity.
    case repair
    /// Of parity.
    case rows

    var isMedia: Bool { self == .media || self == .secondPath }
}
