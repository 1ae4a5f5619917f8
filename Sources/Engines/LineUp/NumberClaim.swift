// SPDX-License-Identifier: Apache-2.0
import Venue

/// A logical number that a channel comes with, and how good its claim is.
struct NumberClaim: Hashable, Comparable {
    /// In the order in which they prevail.
    enum Ground: Int { case view, override, configured, announced }

    var number: Int
    var ground: Ground
    /// "" for what no streamer announces.
    var streamer: String
    var session: Int64
    var id: Channel.ID

    /// The better claim is the less: settings before announcements, then the lower streamer id, session number, id.
    static func < (left: NumberClaim, right: NumberClaim) -> Bool {
        (left.ground.rawValue, left.streamer, left.session, left.id.text)
            < (right.ground.rawValue, right.streamer, right.session, right.id.text)
    }
}
