// SPDX-License-Identifier: Apache-2.0

/// Counts of one region since it was created; `StageCounters` explains the fields.
public struct RegionCounters: Sendable, Hashable {
    public var name: String
    /// The session that is bound to the region, or was bound last; nil if none ever was.
    public var session: Int?
    /// Whether `presentedPTS` is of a picture of this session.
    public var hasPicture = false
    /// Whether the region is in the current layout.
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
