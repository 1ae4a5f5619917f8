// SPDX-License-Identifier: Apache-2.0
import Programming

/// What a controller does without a command.
public struct PlaybackPolicy: Sendable {
    /// What follows when a channel is withdrawn, a session fails or a queue ends (SVM-87, 88). Never black.
    public enum Fallback: Hashable, Sendable {
        /// The last picture stays; without one the slate is shown.
        case hold
        case slate
        /// The name of a channel. The slate is shown while the line-up lacks it.
        case defaultChannel(String)
        /// Played from its beginning, again and again.
        case playlist(Playlist)
    }

    /// Whether the next video of the queue follows one that ended or failed (PLAY-07).
    public var autoAdvance = false
    /// Whether a session plays as soon as it is ready (PLAY-09). A tuned channel always does.
    public var autoPlay = false
    public var fallback = Fallback.slate
    public var sources = SourcePolicy.first
    /// The language of `StreamChoice.audioLanguage`; nil for the first.
    public var audioLanguage: String?

    public init() {}

    /// The source of the video that is played, and what it leads to; nil if there is none. Only sources that the box can
    /// play are chosen from.
    public func source(
        of video: Video, offer: (Source) -> SessionSource?
    ) -> (origin: Source, leadsTo: SessionSource)? {
        let usable = video.sources.prefix(Video.sourceLimit).filter { offer($0) != nil }
        guard let origin = video.namesSource ? usable.first : sources.choose(usable), let source = offer(origin) else {
            return nil
        }
        return (origin, source)
    }
}
