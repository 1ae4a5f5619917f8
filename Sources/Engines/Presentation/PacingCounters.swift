// SPDX-License-Identifier: Apache-2.0
import Timelines

/// How pictures are distributed over the vblanks of a display; all zero without vblanks.
public struct PacingCounters: Sendable, Hashable {
    /// The display's rate as measured by page flips, microhertz; 0 while it is not known.
    public var refreshMicroHertz: Int64 = 0
    /// The mean distance of page flips from the vblanks, µs.
    public var vblankJitterUs: Int64 = 0
    public var vblanksMissed: Int64 = 0
    /// Vblanks that were added to the pattern one at a time, because the display is faster than the stream.
    public var repeats: Int64 = 0
    /// Vblanks that were taken from the pattern, because the display is slower than the stream.
    public var drops: Int64 = 0
    /// Pictures that were left out because the pattern has no vblank for them.
    public var picturesLeftOut: Int64 = 0
    /// Pictures that were shown for another number of vblanks than their pattern demands.
    public var judder: Int64 = 0
    /// The pattern of the layout's first region; nil without vblanks.
    public var pattern: CadencePattern?

    public init() {}
}
