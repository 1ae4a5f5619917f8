// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// What an `OctetRing` held: copied from a ring that goes on, or read from the file of a process that has died. Any octets
/// can be read: what is not whole is left out.
public struct RingImage: Sendable {
    public struct Record: Equatable, Sendable {
        public var kind: UInt8
        public var part: Int
        public var time: Monotonic
        /// Range of the content in `octets`.
        public var content: Range<Int>
    }

    /// What stands in front of the records.
    public let description: [UInt8]
    /// The records one after the other.
    public let octets: [UInt8]
    /// The oldest first.
    public let records: [Record]
    /// Whether there is something behind the last whole record.
    public let isTorn: Bool

    /// Octets of the largest file that is read.
    public static let mostOctets = 64 << 20

    /// Reads the file of a ring.
    public init(file: [UInt8]) throws(WireError) {
        guard file.count >= OctetRing.headerOctets + 8 else {
            throw WireError(.truncated(needed: OctetRing.headerOctets + 8, available: file.count), at: 0)
        }
        func word(at place: Int) -> Int {
            file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int.self) }
        }
        let magic = UInt64(bitPattern: Int64(word(at: 0)))
        guard magic == OctetRing.magic else { throw WireError(.invalid("ring magic", magic), at: 0) }
        let capacity = file.count - OctetRing.headerOctets
        guard word(at: OctetRing.capacityPlace) == capacity, capacity % 8 == 0 else {
            throw WireError(
                .invalid("ring capacity", UInt64(bitPattern: Int64(word(at: OctetRing.capacityPlace)))),
                at: OctetRing.capacityPlace)
        }
        let (head, tail) = (word(at: OctetRing.headPlace), word(at: OctetRing.tailPlace))
        guard head >= 0, tail >= 0, tail <= head, head - tail <= capacity, head % 8 == 0, tail % 8 == 0 else {
            throw WireError(.invalid("ring positions", UInt64(bitPattern: Int64(head))), at: OctetRing.headPlace)
        }
        self.init(file, capacity: capacity, from: tail, to: head)
    }

    /// - Parameters:
    ///   - file: header and records of the ring.
    ///   - first: position of the oldest record; `end` - `first` is at most the capacity.
    init(_ file: [UInt8], capacity: Int, from first: Int, to end: Int) {
        let length = file.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: OctetRing.descriptionPlace, as: Int.self)
        }
        let begin = OctetRing.descriptionPlace + 8
        let isFit = (0...OctetRing.headerOctets - begin).contains(length)
        description = isFit ? Array(file[begin..<begin + length]) : []
        let (start, count) = (first % capacity, end - first)
        let straight = min(count, capacity - start)
        let base = OctetRing.headerOctets
        octets =
            Array(file[base + start..<base + start + straight]) + file[base..<base + count - straight]
        (records, isTorn) = Self.read(octets)
    }

    private static func read(_ octets: [UInt8]) -> (records: [Record], isTorn: Bool) {
        var records: [Record] = []
        var place = 0
        let isTorn = octets.withUnsafeBytes { bytes in
            while place < bytes.count {
                guard bytes.count - place >= OctetRing.recordHeader else { return true }
                let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let time = bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)
                let length = Int(word & 0xFFFF_FFFF)
                let begin = place + OctetRing.recordHeader
                guard word >> 48 == 0, length <= bytes.count - begin else { return true }
                records.append(
                    Record(
                        kind: UInt8(truncatingIfNeeded: word >> 32), part: Int(word >> 40 & 0xFF),
                        time: Monotonic(nanoseconds: time), content: begin..<begin + length))
                place = min(begin + (length + 7) & ~7, bytes.count)
            }
            return false
        }
        return (records, isTorn)
    }
}
