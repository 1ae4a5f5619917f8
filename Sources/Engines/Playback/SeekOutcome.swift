// SPDX-License-Identifier: Apache-2.0
import Time

/// Where a seek has led to, told when its first picture is on the screen.
public enum SeekOutcome: Hashable, Sendable {
    case behindLive(Nanoseconds)
    /// From the beginning of a file.
    case position(Nanoseconds)
}
