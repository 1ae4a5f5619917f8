// SPDX-License-Identifier: Apache-2.0

/// Counts of the render thread since it started, on all its outputs.
public struct StageCounters: Sendable, Hashable {
    public var picturesPresented: Int64 = 0
    /// Second fields of interlaced pictures that were shown at their own time.
    public var fieldsPresented: Int64 = 0
    /// Pictures that were skipped because a newer one was due as well.
    public var picturesLate: Int64 = 0
    /// Pictures that were presented late by more than 20 ms, or by more than a vblank interval if that is longer.
    public var picturesDelayed: Int64 = 0
    /// Pictures from before a seek that were discarded.
    public var picturesDiscarded: Int64 = 0
    public var starvations: Int64 = 0
    public var slatesShown: Int64 = 0
    public var drawErrors: Int64 = 0
    /// Pictures that a GPU drew from their decoder's memory without a copy.
    public var picturesImported: Int64 = 0
    /// Presents that the output could not show as it should.
    public var outputErrors: Int64 = 0
    /// Presents. Pictures of several regions, text and motion may share one.
    public var presentations: Int64 = 0
    /// Frames of a ticker or cross-fade that were left out because the render thread was late.
    public var framesMissed: Int64 = 0
    public var presentedPTS: Int64 = 0
    /// The instant at which the last picture of that region became visible, minus the instant at which it was due, µs.
    public var pictureErrorUs: Int64 = 0
    public var pacing = PacingCounters()

    public init() {}
}
