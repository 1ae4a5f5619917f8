// SPDX-License-Identifier: Apache-2.0
import Timelines

/// How pictures fare on a display that has a vblank; zeros where there is none.
public struct PacingCounters: Sendable, Hashable {
    /// Of the display, measured by its page flips: millionths of frames a second; 0 while they tell none.
    public var refreshMicroHertz: Int64 = 0
    /// That page flips are off the vblanks, on average.
    public var vblankJitterUs: Int64 = 0
    /// Vblanks for which something was composed that came too late for them.
    public var vblanksMissed: Int64 = 0
    /// Vblanks more than the pattern has, one at a time: the display is faster than the stream.
    public var repeats: Int64 = 0
    /// Vblanks less than the pattern has: the display is slower.
    public var drops: Int64 = 0
    /// Pictures that the pattern has no vblank for, left out whole.
    public var picturesLeftOut: Int64 = 0
    /// Pictures that were shown for another number of vblanks than the pattern has for them.
    public var judder: Int64 = 0
    /// Of the layout's first region.
    public var pattern: CadencePattern?

    public init() {}
}
