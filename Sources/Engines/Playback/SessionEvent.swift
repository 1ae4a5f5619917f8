// SPDX-License-Identifier: Apache-2.0
import Programming
import Time

/// The lifecycle of a session (PLAY-15…17).
public enum SessionEvent: Hashable, Sendable {
    case ready, play, pause, end, terminate
    case fail(PlaybackFailure)
    case progress(from: Nanoseconds, to: Nanoseconds)
    case durationChanged(Nanoseconds)
    /// Those passed since the last progress, by playing or by a seek, in one.
    case cuePoints(from: Nanoseconds, to: Nanoseconds, CuePointCollection)
}
