// SPDX-License-Identifier: Apache-2.0

/// The flow of a parity packet (SMPTE ST 2022-1). By convention columns are sent to the media's port + 2, rows to port
/// + 4.
@frozen
public enum ParityFlow: Hashable, Sendable, CaseIterable {
    case columns, rows
}
