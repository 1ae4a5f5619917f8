// SPDX-License-Identifier: Apache-2.0

/// Puts NAL units that are sent in another order into decoding order, by their decoding order numbers (RFC 6184 7.2.2,
/// RFC 7798 6). It holds as many slices as may precede one that is decoded before them.
///
/// It allocates nothing once it has held the longest units.
struct DecodingOrder: Sendable {
    struct Unit: Sendable {
        fileprivate(set) var octets: [UInt8] = []
        /// Decoding order number, modulo 2^16.
        fileprivate(set) var number: UInt16 = 0
        fileprivate(set) var timestamp: UInt32 = 0
        /// Whether packets before it in decoding order are missing.
        fileprivate(set) var followsLoss = false
        fileprivate var isSlice = false
        fileprivate var isHeld = false
        /// Its place in the order in which units were sent. Units of one number keep that order.
        fileprivate var sent: UInt64 = 0
    }

    /// Units that are held besides slices.
    private static let mostOthers = 64

    private let depth: Int
    private let limit: Int
    private var units: [Unit]
    /// Place of the unit that is being put together; nil if there is none.
    private var open: Int?
    private var slices = 0
    private var held = 0
    private var octets = 0
    private var begun: UInt64 = 0
    /// Number of the last unit that was taken out.
    private var last: UInt16?
    /// Whether packets are missing before the next unit that is held.
    private var nextFollowsLoss = false
    /// Whether packets are missing of which no unit that was taken out has told yet.
    private var hasLoss = false

    /// - Parameter depth: slices that may precede another that is decoded before them.
    /// - Parameter limit: octets of all units together.
    init(depth: Int, limit: Int) {
        self.depth = depth
        self.limit = limit
        units = Array(repeating: Unit(), count: depth + Self.mostOthers + 1)
    }

    /// Octets that are held.
    var bufferedOctets: Int { octets }

    /// Whether a unit has to be taken out.
    private var isFull: Bool { slices > depth || held >= units.count - 1 || octets > limit }

    /// Begins to put a unit together; one that was begun before is dropped. Without a place for it, which many small
    /// units in one packet take, it is dropped itself.
    mutating func begin(number: UInt16, timestamp: UInt32) {
        if open != nil { drop(marksLoss: true) }
        guard let place = units.firstIndex(where: { !$0.isHeld }) else { return drop(marksLoss: true) }
        // The first free place is taken, so that few places grow to the longest units; of a strange stream all would.
        let isGreat = units.reduce(0) { $0 + $1.octets.capacity } > 2 * limit
        units[place].octets.removeAll(keepingCapacity: !isGreat)
        units[place].number = number
        units[place].timestamp = timestamp
        units[place].sent = begun
        begun &+= 1
        open = place
    }

    mutating func append(_ octet: UInt8) {
        if let open { units[open].octets.append(octet) }
    }

    /// Appends to the unit that is being put together; if there is none, its beginning is missing.
    mutating func append(_ range: Range<Int>, of source: UnsafeRawBufferPointer) {
        guard let open, units[open].octets.count + range.count <= limit else { return drop(marksLoss: true) }
        units[open].octets.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[range]))
    }

    /// Holds the unit that was put together.
    mutating func end(_ role: NALSyntax.Role) {
        guard let open, role != .filler else { return drop(marksLoss: false) }
        if case .slice = role { units[open].isSlice = true } else { units[open].isSlice = false }
        units[open].isHeld = true
        units[open].followsLoss = nextFollowsLoss
        nextFollowsLoss = false
        held += 1
        octets += units[open].octets.count
        if units[open].isSlice { slices += 1 }
        self.open = nil
    }

    /// Drops the unit that is being put together.
    mutating func drop(marksLoss: Bool) {
        open = nil
        guard marksLoss else { return }
        nextFollowsLoss = true
        hasLoss = true
    }

    /// Takes the next unit in decoding order out if there must be one.
    /// - Parameter isEnd: whether no more units come.
    mutating func takeNext(isEnd: Bool) -> Unit? {
        guard held > 0, isEnd || isFull else { return nil }
        var next: Int?
        for place in units.indices where units[place].isHeld {
            if next.map({ isBefore(units[place], units[$0]) }) ?? true { next = place }
        }
        guard let next else { return nil }
        units[next].isHeld = false
        held -= 1
        octets -= units[next].octets.count
        if units[next].isSlice { slices -= 1 }
        var unit = units[next]
        // A gap in the numbers shows where a loss was; by itself it is none. Without a gap it was before the next unit.
        let hasGap = last.map { unit.number != $0 &+ 1 && unit.number != $0 } ?? false
        unit.followsLoss = hasLoss && (hasGap || unit.followsLoss)
        if unit.followsLoss { hasLoss = false }
        last = unit.number
        return unit
    }

    private func isBefore(_ unit: Unit, _ other: Unit) -> Bool {
        let difference = Int16(bitPattern: unit.number &- other.number)
        return difference == 0 ? unit.sent < other.sent : difference < 0
    }
}
