// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// What a directory of regions needs of the media threads, the stage and the line-up. A Product connects the closures
/// before the first input. Those of `init()` open no session and know no position.
///
/// - Thread: all closures are called on the control loop's thread.
public struct RegionEnvironment {
    public var now: () -> Monotonic = { SystemClock.monotonic() }
    /// Calls the closure once, after this time.
    public var after: (Nanoseconds, @escaping () -> Void) -> Void = { _, _ in }
    /// The number of open sessions.
    public var sessionCount: () -> Int = { 0 }
    /// The number of sessions whose pictures can be decoded at once; nil if the processor decodes too, or if the limit is
    /// not known.
    public var decodedLimit: () -> Int? = { nil }
    /// Why no session can be opened: too many sessions were closed and their threads have not ended. nil if one can be.
    public var refusal: () -> String? = { nil }
    /// Opens a session in the region. Nothing remains open if it fails.
    /// - Returns: why it failed; nil if the session is open.
    public var open: (PlayingSession, RegionPlayer) -> String? = { _, _ in "nothing opens sessions" }
    public var perform: (_ session: Int, SessionCommand) -> Void = { _, _ in }
    /// Closes a session, which ends in its own time.
    public var close: (_ session: Int) -> Void = { _ in }
    /// Gives each of two regions the picture, and the session with its sound, of the other. Nothing is opened or closed.
    public var exchange: (RegionPlayer, RegionPlayer) -> Void = { _, _ in }
    /// The position of a session's playback clock; nil if the session is not open.
    public var position: (_ session: Int) -> PlaybackPosition? = { _ in nil }
    /// The time stamp of the picture that is shown of a session, 90 kHz; nil if none is.
    public var shownPicture: (_ session: Int) -> Int64? = { _ in nil }
    /// The epoch of the sound that is heard of a session; nil if none is heard.
    public var soundEpoch: (_ session: Int) -> Int? = { _ in nil }
    public var showSlate: (RegionPlayer) -> Void = { _ in }

    public init() {}
}
