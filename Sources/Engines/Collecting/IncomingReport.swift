// SPDX-License-Identifier: Apache-2.0
import Reports
import Time

/// A report as a reporter keeps it: the text as it came, and what is looked for by.
public struct IncomingReport: Equatable, Sendable {
    /// What a list of boxes shows of a state.
    public struct Summary: Equatable, Sendable {
        public var name: String?
        public var group: String?
        public var version: String?
        /// `up`, `down` …
        public var state: String?

        public init(name: String? = nil, group: String? = nil, version: String? = nil, state: String? = nil) {
            self.name = name
            self.group = group
            self.version = version
            self.state = state
        }
    }

    /// 1…2⁶³−1
    public let sequence: Int64
    /// nil for an event.
    public let state: Summary?
    /// By the box's clock, which may be wrong; nil while nobody has set it.
    public let wall: WallTime?
    /// The JSON text, one line.
    public let text: String
    public let air: [AirCount]
    /// What a venue told of its boxes; nil in the report of a box.
    public let venue: VenueReport?
    /// Octets of the report as it came.
    public let octets: Int

    public init(
        sequence: Int64, state: Summary?, wall: WallTime?, text: String, air: [AirCount] = [],
        venue: VenueReport? = nil, octets: Int? = nil
    ) {
        self.sequence = sequence
        self.state = state
        self.wall = wall
        self.text = text
        self.air = air
        self.venue = venue
        self.octets = octets ?? text.utf8.count
    }
}
