// SPDX-License-Identifier: Apache-2.0
import Timelines

/// How pictures are spread over the vblanks of a display; zeros without one.
public struct PacingCounters: Sendable, Hashable {
    /// The display's rate as measured by page flips, in millionths of frames a second; 0 while not known.
    public var refreshMicroHertz: Int64 = 0
    /// The average distance of page flips from the vblanks, µs.
    public var vblankJitterUs: Int64 = 0
    /// Vblanks that were missed because composing took too long.
    public var vblanksMissed: Int64 = 0
    /// Vblanks added to the pattern, one at a time, because the display is faster than the stream.
    public var repeats: Int64 = 0
    /// Vblanks taken from the pattern because the display is slower.
    public var drops: Int64 = 0
    /// Pictures left out because the pattern has no vblank for them.
    public var picturesLeftOut: Int64 = 0
    /// Pictures shown for another number of vblanks than the pattern gives them.
    public var judder: Int64 = 0
    /// The pattern of the layout's first region.
    public var pattern: CadencePattern?

    public init() {}
}
