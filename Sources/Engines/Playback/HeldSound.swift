// SPDX-License-Identifier: Apache-2.0
import Media
import Time
import Timelines

/// Sound of a channel that comes before its first picture. In some multiplexes the sound of an instant comes seconds before
/// the pictures of that instant: it is heard with them.
struct HeldSound: Sendable {
    /// Ten seconds of 200 kbit/s, in octets; what comes beyond is forgotten with all before it.
    private static let most = 256 << 10

    private struct Entry: Sendable {
        let unit: AudioUnit
        /// 33 bits; nil if the unit follows the one before.
        let stamp: UInt64?
        let arrival: Monotonic
        let end: Int
    }

    private var entries: [Entry] = []
    private var octets: [UInt8] = []

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter stamp: presentation time stamp, 33 bits; nil if the unit follows the one before.
    mutating func keep(_ unit: AudioUnit, stamp: UInt64?, at arrival: Monotonic, _ bytes: UnsafeRawBufferPointer) {
        if octets.count + bytes.count > Self.most { forget() }
        guard bytes.count <= Self.most, stamp != nil || !isEmpty else { return }
        octets.append(contentsOf: bytes)
        entries.append(Entry(unit: unit, stamp: stamp, arrival: arrival, end: octets.count))
    }

    /// Gives the units from this media time on, in order, and keeps none.
    /// - Parameter clock: which may not have been known when they came.
    mutating func give(
        from time: Monotonic, by clock: StreamCorrelation,
        to body: (AudioUnit, Monotonic?, UnsafeRawBufferPointer) -> Void
    ) {
        var (start, isDue) = (0, false)
        octets.withUnsafeBytes { octets in
            for entry in entries {
                let bytes = UnsafeRawBufferPointer(rebasing: octets[start..<entry.end])
                start = entry.end
                var unit = entry.unit
                unit.pts = entry.stamp.map { clock.ticks(of: $0, near: entry.arrival) }
                unit.offset = clock.offset
                let due = unit.pts.map { clock.time(of: $0) }
                if let due { isDue = due >= time }
                if isDue { body(unit, due, bytes) }
            }
        }
        forget()
    }

    mutating func forget() { (entries, octets) = ([], []) }
}
