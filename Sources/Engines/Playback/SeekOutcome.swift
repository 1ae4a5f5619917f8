// SPDX-License-Identifier: Apache-2.0
import Time

/// The position that a seek reached, given when its first picture is on the screen.
public enum SeekOutcome: Hashable, Sendable {
    case behindLive(Nanoseconds)
    /// The time from the beginning of a file.
    case position(Nanoseconds)
}
