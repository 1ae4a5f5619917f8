// SPDX-License-Identifier: Apache-2.0

/// How much a subsystem logs (SVM-08). Each level includes all levels after it.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, notice, warning, error

    /// The severity of syslog (RFC 5424 §6.2.1), which journald reads from `<N>` at the start of a line.
    public var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        }
    }

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.priority > right.priority }
}
