// SPDX-License-Identifier: Apache-2.0

/// Size of the parity blocks of SMPTE ST 2022-1. It is not announced: receivers learn it from the packets.
public struct ParityShape: Equatable, Sendable {
    /// Packets of a row, L, and of a column, D.
    public var columns: Int
    public var rows: Int
    /// Whether rows are sent beside columns.
    public var hasRows: Bool
}
