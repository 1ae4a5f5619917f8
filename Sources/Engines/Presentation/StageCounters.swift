// SPDX-License-Identifier: Apache-2.0

/// What the render thread has counted since it started.
public struct StageCounters: Sendable, Hashable {
    public var picturesPresented: Int64 = 0
    /// Second fields of interlaced pictures, shown in their own time.
    public var fieldsPresented: Int64 = 0
    /// Skipped whole because a newer picture was due as well.
    public var picturesLate: Int64 = 0
    /// Presented more than half a frame (20 ms) after they were due.
    public var picturesDelayed: Int64 = 0
    /// Of before a seek, thrown away.
    public var picturesDiscarded: Int64 = 0
    /// Times that the pictures of a playing session stayed away.
    public var starvations: Int64 = 0
    public var slatesShown: Int64 = 0
    public var drawErrors: Int64 = 0
    /// Drawn by a GPU from the memory that their decoder shares, uncopied.
    public var picturesImported: Int64 = 0
    /// Times that the screen did not take what it should have shown.
    public var outputErrors: Int64 = 0
    /// Times that something was shown: pictures of several regions, text and motion together are one.
    public var presentations: Int64 = 0
    /// Of the display, while a ticker or a cross-fade ran: those for which the render thread came too late.
    public var framesMissed: Int64 = 0
    /// Presentation time stamp of the picture in the layout's first region, 90 kHz.
    public var presentedPTS: Int64 = 0
    /// Visible minus due of the last picture there, µs.
    public var pictureErrorUs: Int64 = 0
    public var pacing = PacingCounters()

    public init() {}
}
