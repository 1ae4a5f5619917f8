// SPDX-License-Identifier: Apache-2.0

/// Blocks of SMPTE ST 2022-1; receivers find it out from the packets.
public struct ParityShape: Equatable, Sendable {
    /// Packets of a row, L, and of a column, D.
    public var columns: Int
    public var rows: Int
    /// Whether rows are sent beside columns.
    public var hasRows: Bool
}
