// SPDX-License-Identifier: Apache-2.0
import Programming
import Time

/// What a controller is given with each input, because it does no I/O itself.
public struct PlaybackContext {
    public var now: Monotonic
    /// The position of the playing session, as last published; nil if none plays.
    public var position: PlaybackPosition?
    /// The highest number that any controller of the box has given to a session. New sessions get higher numbers.
    public var lastSession: Int
    /// The provider (PLAY-19): what a source leads to at this moment; nil if the box cannot play it.
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
