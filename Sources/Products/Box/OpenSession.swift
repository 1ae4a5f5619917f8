// SPDX-License-Identifier: Apache-2.0
import Playback
import Reception
import Statistics
import Time
import Venue

/// An open session with what receives for it.
struct OpenSession {
    let session: PlaybackSession
    var region: String
    /// nil for a file.
    let reception: (channel: Channel, receiver: ChannelReceiver)?
    /// What the receiver had counted when the session was opened; nil for a file.
    let countedBefore: ReceptionCounters?
    /// The value of `OpenSessions.generation` when the session was opened.
    let generation: Int
    /// Groups of the session and its receiver, attached while the session is open.
    var statistics: [StatisticGroup] = []
    /// Two senders of its channel, of which was told.
    var toldConflict: SenderConflict?
}

/// A closed session that has not ended yet.
struct EndingSession {
    let end: SessionEnd
    let closed: Monotonic
    var isReported = false
}
