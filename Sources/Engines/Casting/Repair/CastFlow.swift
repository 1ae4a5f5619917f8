// SPDX-License-Identifier: Apache-2.0

/// What a channel consists of on the network.
public enum CastFlow: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// The channel itself: with windows each packet has its payload id behind it.
    case media
    /// Repair packets of windows.
    case repair
    case columns, rows
    /// The same packets as anybody plays them, beside a channel with windows.
    case plain
    case plainColumns, plainRows

    /// Of the configuration: where the flow's port is said.
    var field: String {
        switch self {
        case .media: "port"
        case .repair: "repair/port"
        case .columns: "repair/columnPort"
        case .rows: "repair/rowPort"
        case .plain: "plain/port"
        case .plainColumns: "plain/columnPort"
        case .plainRows: "plain/rowPort"
        }
    }

    public var isRepair: Bool { self != .media && self != .plain }
}
