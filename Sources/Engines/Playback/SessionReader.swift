// SPDX-License-Identifier: Apache-2.0
import Time

/// Reads an open source into a `SessionSink`. It lives on the session's read thread.
public protocol SessionReader: AnyObject {
    /// Reads a little and gives the sink what that completes.
    /// - Throws: when nothing more can be played; the reader is not used again then.
    func advance() throws(SourceFailure) -> ReaderProgress

    /// Goes to the last random-access point from which the target's picture can be decoded.
    /// - Parameter head: the play-head before the seek.
    /// - Returns: where the play-head is to stand.
    func seek(to target: SeekTarget, from head: PlayHeadControl, at now: Monotonic) -> PlayHeadMove

    /// Goes so far back, if it can, that the picture of this media time can be decoded. Asked for once before the first
    /// `advance`: a channel that has been received for a while begins at live.
    func reread(from time: Monotonic)

    func choose(_ choice: StreamChoice)

    func position(of head: PlayHeadControl, at now: Monotonic) -> PlaybackPosition
}

public enum ReaderProgress: Hashable, Sendable {
    case progressed
    /// There is nothing to read until the session is woken.
    case waiting
    case ended
}

/// Where a seek leads the play-head.
public enum PlayHeadMove: Hashable, Sendable {
    /// So far behind live.
    case behindLive(Nanoseconds)
    /// This media time is presented at that instant.
    case anchor(Monotonic, due: Monotonic)
    /// It stays where it is: the source has no such place.
    case stay
}
