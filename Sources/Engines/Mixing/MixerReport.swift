// SPDX-License-Identifier: Apache-2.0

/// What the audio thread tells of its output.
public enum MixerReport: Sendable, Equatable {
    case outputOpened(String)
    /// Sound goes on unheard; told once, however often it is looked for then.
    case withoutOutput(why: String)
}
