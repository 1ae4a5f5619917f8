// SPDX-License-Identifier: Apache-2.0

/// What the audio thread has counted since it started.
public struct MixerCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    /// Frames of samples written to the output.
    public var framesWritten: Int64 = 0
    public var outputErrors: Int64 = 0

    public init() {}
}
