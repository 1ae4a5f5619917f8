// SPDX-License-Identifier: Apache-2.0
import Timelines

/// How pictures are spread over the vblanks of a display; zeros without one.
public struct PacingCounters: Sendable, Hashable {
    public var refreshMicroHertz: Int64 = 0
    public var vblankJitterUs: Int64 = 0
    public var vblanksMissed: Int64 = 0
    public var repeats: Int64 = 0
    public var drops: Int64 = 0
    public var picturesLeftOut: Int64 = 0
    public var judder: Int64 = 0
    /// The pattern of the layout's first region.
    public var pattern: CadencePattern?

    public init() {}
}
