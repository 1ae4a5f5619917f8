// SPDX-License-Identifier: Apache-2.0
import Codecs
import Venue

/// What playback tells the world, in the reference's words.
public enum PlaybackEvent: Hashable, Sendable {
    /// SVM-80…86. Of a file the name is the video's.
    case channelState(PlayerState, channelName: String)
    /// SVM-78, 79: true and false in turn.
    case buffering(Bool, channelName: String)
    /// SVM-87.
    case currentChannelInvalid(channelName: String)
    /// Once for each stream of a session.
    case streamUnsupported(session: Int, what: String)
    /// What decodes a session's pictures from here on.
    case decoderChanged(session: Int, LadderDecoder.Opening)
    case session(Int, SessionEvent)
}
