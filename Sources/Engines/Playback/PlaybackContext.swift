// SPDX-License-Identifier: Apache-2.0
import Programming
import Time

/// What a controller is told beside each input, because it asks nobody itself.
public struct PlaybackContext {
    public var now: Monotonic
    /// Of the playing session, as published last.
    public var position: PlaybackPosition?
    /// The highest number that any controller of the box has given a session: new ones are above it.
    public var lastSession: Int
    /// The provider (PLAY-19): what a source leads to at this moment; nil: to nothing that this box can play.
    public var offer: (Source) -> SessionSource?

    public init(
        now: Monotonic, position: PlaybackPosition?, lastSession: Int = 0,
        offer: @escaping (Source) -> SessionSource?
    ) {
        self.now = now
        self.position = position
        self.lastSession = lastSession
        self.offer = offer
    }
}
