// SPDX-License-Identifier: Apache-2.0

/// What a technician asks for first, in groups (SVM-69): texts as they are shown, with their units, and small plots.
public struct StatisticsPanel: Hashable, Sendable {
    public enum Level: Hashable, Sendable { case usual, warning, fault }

    public struct Row: Hashable, Sendable {
        public var name: String
        public var value: String
        public var level: Level

        public init(_ name: String, _ value: String, _ level: Level = .usual) {
            self.name = name
            self.value = value
            self.level = level
        }
    }

    /// The last values of a figure, the newest at the right.
    public struct Plot: Hashable, Sendable {
        /// Values that have room, one a second.
        public static let places = 60

        /// 0...100 of the height; nil where there was no value.
        public var samples: [Int?]
        /// Where values begin to be a fault, 0...100 of the height; nil for nowhere.
        public var limit: Int?

        public init(_ samples: [Int?], limit: Int? = nil) {
            self.samples = Array(samples.suffix(Self.places))
            self.limit = limit
        }
    }

    public struct Group: Hashable, Sendable {
        /// A figure, and how it went if that is drawn.
        public struct Entry: Hashable, Sendable {
            public var row: Row
            public var plot: Plot?

            public init(_ row: Row, _ plot: Plot? = nil) {
                self.row = row
                self.plot = plot
            }
        }

        public var title: String
        public var entries: [Entry]

        public init(_ title: String, _ entries: [Entry]) {
            self.title = title
            self.entries = entries
        }
    }

    /// Which box it is, and which version (SVM-131).
    public var heading: [String]
    public var groups: [Group]

    public init(heading: [String] = [], _ groups: [Group]) {
        self.heading = heading
        self.groups = groups
    }
}
