// SPDX-License-Identifier: Apache-2.0

/// Counts the pictures that were shown for another number of vblanks than their pattern demands.
public struct JudderMeter: Sendable {
    /// Vblanks by which the picture on the screen came too late; nil if its intended duration is not known.
    private var lateness: Int64?
    /// For the pictures left out since then: the sum of their displacements, and whether any of them was late.
    private var displacement: Int64 = 0
    private var isBroken = false

    public init() {}

    /// The next picture starts a new sequence, as after a pause.
    public mutating func reset() { lateness = nil }

    /// - Parameter isLate: true if its vblank had passed, false if the pattern has no vblank for it.
    /// - Returns: 1 if the picture counts as judder, otherwise 0.
    public mutating func leftOut(_ place: Cadence.Place, isLate: Bool) -> Int64 {
        displacement += place.displacement
        guard isLate else { return 0 }
        isBroken = true
        return 1
    }

    /// - Parameter vblank: the vblank at which the picture is visible.
    /// - Returns: 1 if the picture before it counts as judder, otherwise 0.
    public mutating func shown(_ place: Cadence.Place, at vblank: Int64) -> Int64 {
        let late = vblank - place.vblank
        let isOff = isBroken || late + displacement + place.displacement != lateness
        let isCounted = isOff && !place.isAnew && lateness != nil
        lateness = late
        displacement = 0
        isBroken = false
        return isCounted ? 1 : 0
    }
}
