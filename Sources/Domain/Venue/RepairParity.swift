// SPDX-License-Identifier: Apache-2.0
import Time

/// Parity of rows and columns over RTP packets (SMPTE ST 2022-1). Players that do not know it still play the flow.
public struct RepairParity: Hashable, Sendable {
    /// The column packets, by convention on the media's port + 2; nil if none are sent.
    public var columns: FlowEndpoint?
    /// The row packets, by convention on the media's port + 4; nil if none are sent.
    public var rows: FlowEndpoint?
    /// The longest time after a packet in which its repair may arrive.
    public var span: Nanoseconds
    /// Whether nobody announced it or wrote it down: the box found it beside the media.
    public var isFound = false

    public init(columns: FlowEndpoint?, rows: FlowEndpoint?, span: Nanoseconds) {
        self.columns = columns
        self.rows = rows
        self.span = span
    }
}
