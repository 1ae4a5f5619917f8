// SPDX-License-Identifier: Apache-2.0

extension Evidence {
    /// What was heard of head-ends, and what came of it.
    public struct Announcements: Hashable, Sendable {
        /// A sender of which some announcement was not taken.
        public struct Refusal: Hashable, Sendable {
            public var sender: String
            public var why: String
            /// Whether only the licence is another one.
            public var isOfLicence: Bool

            public init(sender: String, why: String, isOfLicence: Bool) {
                (self.sender, self.why, self.isOfLicence) = (sender, why, isOfLicence)
            }
        }

        /// The groups that are listened to; empty if the settings name none.
        public var groups: [String] = []
        /// Seconds for which the box has been listening.
        public var listened: Int64 = 0
        /// Seconds since the newest one of a streamer that is listed; nil if none is.
        public var sinceNewest: Int64?
        /// Channels that are listed because they are announced.
        public var announcedChannels = 0
        /// Channels and playlists of the settings.
        public var ownEntries = 0
        public var refusals: [Refusal] = []
        /// Channels that are to be tuned and are not listed.
        public var awaited: [String] = []
        /// Other interfaces that can carry packets.
        public var otherInterfaces: [String] = []

        public init() {}
    }

    public struct Licence: Hashable, Sendable {
        /// The names of the settings; nil if there are none.
        public var own: String?
        /// The venue without which playback is locked; nil if it is not locked.
        public var missedVenue: String?

        public init(own: String?, missedVenue: String?) { (self.own, self.missedVenue) = (own, missedVenue) }
    }
}
