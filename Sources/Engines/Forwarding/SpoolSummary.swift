// SPDX-License-Identifier: Apache-2.0

/// What a spool has to send.
public struct SpoolSummary: Equatable, Sendable {
    /// The newest state report of this start alone; nil if it is settled, or there is none.
    public let newest: SpoolBatch?
    /// The oldest reports; nil if all are settled. The newest state report may be among them.
    public let backlog: SpoolBatch?

    package init(newest: SpoolBatch?, backlog: SpoolBatch?) {
        self.newest = newest
        self.backlog = backlog
    }
}
