// SPDX-License-Identifier: Apache-2.0

/// A change of the mixer's output, reported by the audio thread.
public enum MixerReport: Sendable, Equatable {
    case outputOpened(String)
    /// There is no output and sound is dropped. Reported once, however often opening is tried afterwards.
    case withoutOutput(why: String)
}
