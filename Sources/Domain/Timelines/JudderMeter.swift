// SPDX-License-Identifier: Apache-2.0

/// Finds the pictures that were shown for another number of vblanks than the pattern has for them.
public struct JudderMeter: Sendable {
    /// Vblanks by which the picture on the screen came too late; nil: nothing says how long it was to be there.
    private var lateness: Int64?
    /// Of pictures that were left out since: what their shifts were, and whether that was because they came too late.
    private var displacement: Int64 = 0
    private var isBroken = false

    public init() {}

    /// Pictures begin anew, as after a pause.
    public mutating func reset() { lateness = nil }

    /// - Parameter isLate: its vblank was over; false: the pattern has none for it.
    /// - Returns: 1 when it is one of them.
    public mutating func leftOut(_ place: Cadence.Place, isLate: Bool) -> Int64 {
        displacement += place.displacement
        guard isLate else { return 0 }
        isBroken = true
        return 1
    }

    /// - Parameter vblank: at which it is visible.
    /// - Returns: 1 when the picture before is one of them.
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
