// SPDX-License-Identifier: Apache-2.0

/// A table of counters (SVM-69).
public struct StatisticsPanel: Hashable, Sendable {
    /// Rows beyond this number are not shown.
    public static let mostRows = 24

    public struct Row: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var rows: [Row]

    public init(_ rows: [Row]) { self.rows = Array(rows.prefix(Self.mostRows)) }
}
