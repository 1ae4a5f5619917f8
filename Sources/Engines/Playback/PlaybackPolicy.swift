// SPDX-License-Identifier: Apache-2.0
import Programming

/// What a controller does that nobody has commanded.
public struct PlaybackPolicy: Sendable {
    /// What comes when a channel is withdrawn, a session fails or a queue has been played (SVM-87, 88). Never black.
    public enum Fallback: Hashable, Sendable {
        /// The last picture stays; the slate when there is none.
        case hold
        case slate
        /// Name of a channel; the slate while the line-up lacks it.
        case defaultChannel(String)
        /// From its beginning, again and again.
        case playlist(Playlist)
    }

    /// The next of the queue follows one that ended or failed (PLAY-07).
    public var autoAdvance = false
    /// A session plays as soon as it is there (PLAY-09). A tuned channel always does.
    public var autoPlay = false
    public var fallback = Fallback.slate
    public var sources = SourcePolicy.first
    /// See `StreamChoice.audioLanguage`.
    public var audioLanguage: String?

    public init() {}
}
