// SPDX-License-Identifier: Apache-2.0

/// Counts of the render thread since it started.
public struct StageCounters: Sendable, Hashable {
    public var picturesPresented: Int64 = 0
    /// Second fields of interlaced pictures, shown in their own time.
    public var fieldsPresented: Int64 = 0
    /// Pictures skipped because a newer one was due as well.
    public var picturesLate: Int64 = 0
    /// Pictures presented more than 20 ms after they were due.
    public var picturesDelayed: Int64 = 0
    /// Pictures from before a seek, discarded.
    public var picturesDiscarded: Int64 = 0
    /// Times that a playing session had no picture for 500 ms.
    public var starvations: Int64 = 0
    public var slatesShown: Int64 = 0
    public var drawErrors: Int64 = 0
    /// Pictures drawn by a GPU from their decoder's memory without a copy.
    public var picturesImported: Int64 = 0
    /// Presents that the screen did not show as it should.
    public var outputErrors: Int64 = 0
    /// Presents; pictures of several regions, text and motion may share one.
    public var presentations: Int64 = 0
    /// Frames of a ticker or cross-fade for which the render thread was late.
    public var framesMissed: Int64 = 0
    /// Presentation time stamp of the picture in the layout's first region, 90 kHz ticks.
    public var presentedPTS: Int64 = 0
    /// The instant the last picture there became visible, minus when it was due, µs.
    public var pictureErrorUs: Int64 = 0
    public var pacing = PacingCounters()

    public init() {}
}
