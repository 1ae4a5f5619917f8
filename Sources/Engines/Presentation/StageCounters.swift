// SPDX-License-Identifier: Apache-2.0

/// Counts of the render thread since it started.
public struct StageCounters: Sendable, Hashable {
    public var picturesPresented: Int64 = 0
    public var fieldsPresented: Int64 = 0
    public var picturesLate: Int64 = 0
    public var picturesDelayed: Int64 = 0
    public var picturesDiscarded: Int64 = 0
    public var starvations: Int64 = 0
    public var slatesShown: Int64 = 0
    public var drawErrors: Int64 = 0
    public var picturesImported: Int64 = 0
    public var outputErrors: Int64 = 0
    public var presentations: Int64 = 0
    public var framesMissed: Int64 = 0
    public var presentedPTS: Int64 = 0
    public var pictureErrorUs: Int64 = 0
    public var pacing = PacingCounters()

    public init() {}
}
