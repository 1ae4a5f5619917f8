// SPDX-License-Identifier: Apache-2.0
import Codecs
import Venue

/// An event of playback, in the terms of the reference.
public enum PlaybackEvent: Hashable, Sendable {
    /// The state of the player (SVM-80…86). For a file the name is that of the video.
    case channelState(PlayerState, channelName: String)
    /// Buffering began or ended (SVM-78, 79); true and false alternate.
    case buffering(Bool, channelName: String)
    /// The channel that plays was removed from the line-up (SVM-87).
    case currentChannelInvalid(channelName: String)
    /// A stream that cannot be played; reported once for each stream of a session.
    case streamUnsupported(session: Int, what: String)
    /// The decoder of a session's pictures has changed.
    case decoderChanged(session: Int, LadderDecoder.Opening)
    /// The stream of a session's channel lists these programs.
    case programsChanged(session: Int, [ListedProgram])
    case session(Int, SessionEvent)
}
