// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// What a server of CSS-TS serves: its content, and where the timelines of that are.
public struct PublishedTimelines: Equatable, Sendable {
    public struct Timeline: Equatable, Sendable {
        public var properties: TimelineProperties
        /// Nil while the timeline is not available.
        public var timestamp: ControlTimestamp?
        /// How much later than it could the server presents, for the sake of its clients. The timestamp is of what is
        /// presented.
        public var appliedDelay: Nanoseconds

        public init(
            _ properties: TimelineProperties, _ timestamp: ControlTimestamp?, appliedDelay: Nanoseconds = .zero
        ) {
            (self.properties, self.timestamp, self.appliedDelay) = (properties, timestamp, appliedDelay)
        }
    }

    /// Nil if it is not known, which no client's stem matches.
    public var contentID: String?
    public var timelines: [TimelineSelector: Timeline]

    public init(contentID: String? = nil, timelines: [TimelineSelector: Timeline] = [:]) {
        (self.contentID, self.timelines) = (contentID, timelines)
    }

    /// What a client with this set-up follows; nil if its timeline is not available.
    func timeline(_ selector: TimelineSelector, of stem: ContentIDStem) -> Timeline? {
        stem.matches(contentID) ? timelines[selector] : nil
    }
}
