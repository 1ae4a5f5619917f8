// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

extension SpoolRecord {
    /// What stands at an offset of a segment.
    package enum Reading: Equatable, Sendable {
        /// - Parameter end: offset of what follows it.
        case record(SpoolRecord, end: Int)
        /// The rest of the segment is the beginning of a record, or zeros: what a power cut leaves of the last write.
        case torn
        /// - Parameter next: offset of the next mark, or of the end; always behind the offset that was read.
        case damaged(next: Int)
    }

    /// Reads whatever octets there are; the offset is one of them.
    package static func read(_ octets: UnsafeRawBufferPointer, at offset: Int, of boot: BootID) -> Reading {
        var reader = WireReader(octets, in: offset..<max(offset, octets.count))
        do throws(WireError) {
            let record = try SpoolRecord(from: &reader, of: boot)
            return .record(record, end: reader.offset)
        } catch {
            if let next = nextMark(in: octets, behind: offset) { return .damaged(next: next) }
            if case .truncated = error.reason { return .torn }
            return octets[offset...].allSatisfy { $0 == 0 } ? .torn : .damaged(next: octets.count)
        }
    }

    private init(from reader: inout WireReader, of boot: BootID) throws(WireError) {
        let start = reader.offset
        for expected in Self.mark {
            let octet: UInt8 = try reader.read()
            guard octet == expected else { throw WireError(.invalid("mark", UInt64(octet)), at: reader.offset - 1) }
        }
        let code: UInt8 = try reader.read()
        guard let kind = Kind(rawValue: code) else { throw WireError(.invalid("kind", UInt64(code)), at: start + 4) }
        let length = try reader.read(octets: 3)
        guard length <= UInt64(Self.mostOctets) else { throw WireError(.limit("payload", length), at: start + 5) }
        let checksum: UInt32 = try reader.read()
        let sequence: UInt64 = try reader.read()
        let time: Int64 = try reader.read()
        let payload = try reader.take(Int(length))
        let record = UnsafeRawBufferPointer(rebasing: reader.bytes[start..<payload.upperBound])
        guard checksum == Self.checksum(of: record, of: boot) else {
            throw WireError(.invalid("checksum", UInt64(checksum)), at: start + 8)
        }
        guard Self.sequences.contains(sequence) else {
            throw WireError(.invalid("sequence", sequence), at: start + 12)
        }
        self.init(
            sequence, kind, time == 0 ? nil : WallTime(nanoseconds: time), Array(reader.bytes[payload]))
    }

    private static func nextMark(in octets: UnsafeRawBufferPointer, behind offset: Int) -> Int? {
        var place = offset + 1
        while place + mark.count <= octets.count {
            if octets[place] == mark[0], octets[place..<place + mark.count].elementsEqual(mark) { return place }
            place += 1
        }
        return nil
    }
}
