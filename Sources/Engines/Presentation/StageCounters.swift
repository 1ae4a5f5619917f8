// SPDX-License-Identifier: Apache-2.0

/// What the render thread has counted since it started.
public struct StageCounters: Sendable, Hashable {
    public var picturesPresented: Int64 = 0
    /// Skipped whole because a newer picture was due as well.
    public var picturesLate: Int64 = 0
    /// Presented more than half a frame (20 ms) after they were due.
    public var picturesDelayed: Int64 = 0
    public var slatesShown: Int64 = 0
    public var drawErrors: Int64 = 0
    /// Presentation time stamp of the picture on the screen, 90 kHz.
    public var presentedPTS: Int64 = 0

    public init() {}
}
