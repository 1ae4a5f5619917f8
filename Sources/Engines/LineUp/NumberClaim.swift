// SPDX-License-Identifier: Apache-2.0
import Venue

/// A channel's claim to a logical number, and how good it is.
struct NumberClaim: Hashable, Comparable {
    /// Grounds of claims, the strongest first.
    enum Ground: Int { case view, override, configured, announced }

    var number: Int
    var ground: Ground
    /// Empty for a channel that no streamer announces.
    var streamer: String
    var session: Int64
    var id: Channel.ID

    /// The better claim is the lesser one: by ground first, then by lower streamer id, session number and channel id.
    static func < (left: NumberClaim, right: NumberClaim) -> Bool {
        (left.ground.rawValue, left.streamer, left.session, left.id.text)
            < (right.ground.rawValue, right.streamer, right.session, right.id.text)
    }
}
