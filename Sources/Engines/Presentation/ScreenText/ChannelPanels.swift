// SPDX-License-Identifier: Apache-2.0

/// The list of channels that a viewer chooses from (SVM-11).
public struct ChannelListPanel: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        public var number: Int
        public var name: String
        /// What is on; nil if that is not known.
        public var now: String?
        public var isFavourite: Bool

        public init(number: Int, name: String, now: String? = nil, isFavourite: Bool = false) {
            self.number = number
            self.name = name
            self.now = now
            self.isFavourite = isFavourite
        }
    }

    /// What is listed, such as a group's name.
    public var heading: String
    /// All rows. Those around the selected one are drawn, as many as have room.
    public var rows: [Row]
    /// Index of the selected row; of no meaning if there is none.
    public var selected: Int

    public init(heading: String, rows: [Row], selected: Int) {
        self.heading = heading
        self.rows = rows
        self.selected = selected
    }
}

/// The number of a channel while a viewer types it (G-25).
public struct NumberPanel: Hashable, Sendable {
    public var digits: String
    /// The channel with this number; nil if there is none.
    public var name: String?

    public init(digits: String, name: String?) {
        self.digits = digits
        self.name = name
    }
}
