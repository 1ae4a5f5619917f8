// SPDX-License-Identifier: Apache-2.0

/// Where a parity packet belongs (SMPTE ST 2022-1): by convention columns on the media's port + 2, rows on + 4.
@frozen
public enum ParityFlow: Hashable, Sendable, CaseIterable {
    case columns, rows
}
