// SPDX-License-Identifier: Apache-2.0

/// Why a seek has led nowhere.
public enum SeekError: Error, Hashable, Sendable {
    case noSession
    /// By another seek (PLAY-10).
    case interrupted
    case timedOut
    /// The session was discarded meanwhile (PLAY-13).
    case sessionEnded
}
