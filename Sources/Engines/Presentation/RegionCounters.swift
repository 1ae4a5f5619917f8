// SPDX-License-Identifier: Apache-2.0

/// What one region has shown since it was made; see `StageCounters` for what the numbers mean.
public struct RegionCounters: Sendable, Hashable {
    public var name: String
    /// The session whose pictures it takes or took last.
    public var session: Int?
    /// Whether it is in the layout.
    public var isOnStage = false
    public var picturesPresented: Int64 = 0
    public var fieldsPresented: Int64 = 0
    public var picturesLate: Int64 = 0
    public var picturesDelayed: Int64 = 0
    public var picturesDiscarded: Int64 = 0
    public var starvations: Int64 = 0
    public var presentedPTS: Int64 = 0
    public var pictureErrorUs: Int64 = 0

    public init(name: String) { self.name = name }
}
