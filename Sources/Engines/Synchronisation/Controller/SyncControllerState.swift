// SPDX-License-Identifier: Apache-2.0

/// The states of a sync controller, with the reference's numbers (CSS-12…18).
public enum SyncControllerState: Int, Hashable, Sendable {
    /// Never started.
    case initialised = 1
    /// The session follows the timeline, within the dead band.
    case running = 2
    case stopped = 3
    /// The session is held: the timeline is paused, or moves in a way that cannot be followed.
    case paused = 4
    /// The session is being corrected by rate or by a jump.
    case synchronising = 5
    case syncTimelineUnavailable = 6
    /// The timeline has become available. The session is made to play, unless the timeline is paused.
    case syncTimelineAvailable = 7
}
