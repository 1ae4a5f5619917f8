// SPDX-License-Identifier: Apache-2.0

/// Why a seek failed.
public enum SeekError: Error, Hashable, Sendable {
    case noSession
    /// Another seek took its place (PLAY-10).
    case interrupted
    case timedOut
    /// The session was closed meanwhile (PLAY-13).
    case sessionEnded
}
