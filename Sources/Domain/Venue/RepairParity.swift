// SPDX-License-Identifier: Apache-2.0
import Time

/// Rows and columns of parity over RTP packets (SMPTE ST 2022-1). Any player plays the flow without it.
public struct RepairParity: Hashable, Sendable {
    /// By convention on the media's port + 2.
    public var columns: FlowEndpoint?
    /// By convention on the media's port + 4.
    public var rows: FlowEndpoint?
    /// How long after a packet its repair may come.
    public var span: Nanoseconds

    public init(columns: FlowEndpoint?, rows: FlowEndpoint?, span: Nanoseconds) {
        self.columns = columns
        self.rows = rows
        self.span = span
    }
}
