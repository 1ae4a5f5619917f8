// SPDX-License-Identifier: Apache-2.0
import Media

/// Times of the newest units by serial. The serial goes into the device with a unit and comes back with its picture,
/// because the device's own time stamps have no room for ours.
struct UnitTimes {
    struct Unit: Hashable, Sendable {
        let pts: Int64
        let isDamaged: Bool
    }

    /// More units than any device keeps inside.
    private static let count = 256

    private var serials = [UInt64](repeating: 0, count: Self.count)
    private var units = [Unit](repeating: Unit(pts: 0, isDamaged: false), count: Self.count)

    mutating func note(_ unit: AccessUnit, as serial: UInt64) {
        let slot = Int(serial % UInt64(Self.count))
        serials[slot] = serial
        units[slot] = Unit(pts: unit.pts, isDamaged: unit.isDamaged)
    }

    /// nil if the unit is too old or unknown.
    func unit(_ serial: UInt64) -> Unit? {
        let slot = Int(serial % UInt64(Self.count))
        return serial > 0 && serials[slot] == serial ? units[slot] : nil
    }
}
