// SPDX-License-Identifier: Apache-2.0
import Programming
import Time

/// An event in the life of a session (PLAY-15…17).
public enum SessionEvent: Hashable, Sendable {
    case ready, play, pause, end, terminate
    case fail(PlaybackFailure)
    case progress(from: Nanoseconds, to: Nanoseconds)
    case durationChanged(Nanoseconds)
    /// All cue points passed since the last progress event, by playing or by a seek.
    case cuePoints(from: Nanoseconds, to: Nanoseconds, CuePointCollection)
}
