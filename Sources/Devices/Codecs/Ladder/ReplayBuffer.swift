// SPDX-License-Identifier: Apache-2.0
import Media

/// Replay buffer: the coded units from the random-access point that the newest picture refers to. It holds units that a
/// device has taken, in case another decoder must start with them, and units that wait for room.
struct ReplayBuffer {
    /// Limit in octets: a few seconds of any stream that a device decodes. Older units cannot be decoded again.
    private static let mostOctets = 24 << 20
    private static let mostUnits = 1_024

    private struct Entry {
        let unit: AccessUnit
        let octets: Range<Int>
    }

    private var entries: [Entry] = []
    private var octets: [UInt8] = []
    /// Index of the first unit that has not been played.
    private var next = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    /// Number of units still to be played.
    var waiting: Int { entries.count - next }

    mutating func append(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) {
        if octets.count + bytes.count > Self.mostOctets || entries.count >= Self.mostUnits { drop(next) }
        entries.append(Entry(unit: unit, octets: octets.count..<octets.count + bytes.count))
        octets.append(contentsOf: bytes)
    }

    /// Calls `body` with the first waiting unit.
    /// - Returns: false if there is none or `body` did not take it.
    mutating func play<Failure: Error>(
        _ body: (AccessUnit, UnsafeRawBufferPointer) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        guard next < entries.count else { return false }
        let entry = entries[next]
        var failure: Failure?
        // `withUnsafeBytes` does not support typed throws.
        let isTaken = octets.withUnsafeBytes { (all) -> Bool in
            do throws(Failure) {
                return try body(entry.unit, UnsafeRawBufferPointer(rebasing: all[entry.octets]))
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        if isTaken { next += 1 }
        return isTaken
    }

    /// Drops the units that neither this picture nor later ones refer to.
    mutating func pictureDelivered(pts: Int64) {
        guard entries.count > 1,
            let point = entries[..<next].lastIndex(where: { $0.unit.isRandomAccess && $0.unit.pts <= pts }), point > 0
        else { return }
        drop(point)
    }

    /// Plays again from the first random-access point; units before it are dropped.
    mutating func rewind() {
        next = 0
        drop(entries.firstIndex { $0.unit.isRandomAccess && !$0.unit.isDamaged } ?? entries.count)
    }

    mutating func clear() {
        entries.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
        next = 0
    }

    /// Empties the buffer and frees its memory.
    mutating func release() { self = ReplayBuffer() }

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        let gone = entries[count - 1].octets.upperBound
        octets.removeFirst(gone)
        entries.removeFirst(count)
        for index in entries.indices {
            let entry = entries[index]
            entries[index] = Entry(
                unit: entry.unit, octets: entry.octets.lowerBound - gone..<entry.octets.upperBound - gone)
        }
        next = max(0, next - count)
    }
}
