// SPDX-License-Identifier: Apache-2.0
import Time

/// Reads an open source into a `SessionSink`.
/// - Thread: the session's read thread.
public protocol SessionReader: AnyObject {
    /// Reads a portion, and gives the sink the units that it completes.
    /// - Throws: if nothing more can be played; the reader is not used again then.
    func advance() throws(SourceFailure) -> ReaderProgress

    /// Goes to the last random-access point from which the target's picture can be decoded.
    /// - Parameter head: the playback clock before the seek.
    /// - Returns: where the playback clock must be set.
    func seek(to target: SeekTarget, from head: PlaybackClockControl, at now: Monotonic) -> PlaybackClockMove

    /// Goes back as far as needed, and as far as possible, to decode the picture that is presented. It is called once
    /// before the first `advance`, so that a channel that has been received for a while begins at live.
    /// - Parameter head: the playback clock.
    /// - Returns: where the playback clock must be set, because the picture is not kept any more.
    func reread(from head: PlaybackClockControl, at now: Monotonic) -> PlaybackClockMove

    func choose(_ choice: StreamChoice)

    func position(of head: PlaybackClockControl, at now: Monotonic) -> PlaybackPosition
}

public enum ReaderProgress: Hashable, Sendable {
    case progressed
    /// What follows has been overwritten. `reread` goes on with what is kept.
    case overtaken
    /// There is nothing to read until the session is woken.
    case waiting
    case ended
}

/// Where a seek sets the playback clock.
public enum PlaybackClockMove: Hashable, Sendable {
    /// The clock moves to this distance behind the newest picture received.
    case behindLive(Nanoseconds)
    /// The clock moves so that this media time is presented at `due`.
    case anchor(Monotonic, due: Monotonic)
    /// The clock stays where it is, because the source has no such position.
    case stay
}
