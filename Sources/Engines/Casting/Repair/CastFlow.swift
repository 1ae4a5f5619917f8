// SPDX-License-Identifier: Apache-2.0

/// A flow of a channel on the network.
public enum CastFlow: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// The channel itself. With windows each packet carries its source FEC payload id behind it.
    case media
    /// Repair packets of protection windows.
    case repair
    case columns, rows
    /// The same packets without payload ids for any player, beside a channel with windows.
    case plain
    case plainColumns, plainRows

    /// The field of the configuration that has the flow's port.
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
