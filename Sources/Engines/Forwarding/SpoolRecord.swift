// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// A report as a segment of the spool keeps it.
///
///      0        1        2        3
///     +--------+--------+--------+--------+
///     |  0xF7  |  'T'   |  'R'   |  0x01  |  mark, with the version of the form
///     +--------+--------+--------+--------+
///     |  kind  | octets of the payload    |
///     +--------+--------+--------+--------+
///     |              CRC-32C              |  of the boot id, the four octets before, and all that follow
///     +--------+--------+--------+--------+
///     |             sequence              |
///     |                                   |
///     +--------+--------+--------+--------+
///     |      wall clock, nanoseconds      |  since 1970; 0: nobody had set it
///     |                                   |
///     +--------+--------+--------+--------+
///     |  payload ...
///
/// No text in UTF-8 has the mark's first octet, so that a reader that has lost its place finds the next record. The
/// name of the segment has the boot id. The checksum covers it so that blocks of a deleted segment, which a power cut
/// can leave in a file, are not taken for records of this one.
public struct SpoolRecord: Equatable, Sendable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// How the box is: a later one says the same again.
        case state = 1
        /// What happened, once.
        case event = 2
    }

    /// Octets of the longest payload.
    public static let mostOctets = 256 << 10
    /// Sequences that there can be, so that the upper bound of a range of them is one, too.
    static let sequences: ClosedRange<UInt64> = 1...UInt64(Int64.max)
    static let headerOctets = 28
    static let mark: [UInt8] = [0xF7, UInt8(ascii: "T"), UInt8(ascii: "R"), 1]

    public let sequence: UInt64
    public let kind: Kind
    /// When it was appended; nil if nobody had set the wall clock.
    public let time: WallTime?
    public let payload: [UInt8]

    /// - Parameter payload: at most `mostOctets`.
    package init(_ sequence: UInt64, _ kind: Kind, _ time: WallTime?, _ payload: [UInt8]) {
        precondition(Self.sequences.contains(sequence) && payload.count <= Self.mostOctets)
        self.sequence = sequence
        self.kind = kind
        self.time = time?.nanoseconds == 0 ? nil : time
        self.payload = payload
    }

    /// Octets that it takes in a segment.
    var octetCount: Int { Self.headerOctets + payload.count }

    /// - Parameter boot: whose report it is.
    package func octets(of boot: BootID) -> [UInt8] {
        var writer = WireWriter(reserving: octetCount)
        writer.write(contentsOf: Self.mark)
        writer.write(kind.rawValue)
        writer.write(UInt64(payload.count), octets: 3)
        writer.write(UInt32(0))
        writer.write(sequence)
        writer.write(time?.nanoseconds ?? 0)
        writer.write(contentsOf: payload)
        let checksum = writer.bytes.withUnsafeBytes { Self.checksum(of: $0, of: boot) }
        writer.overwrite(checksum, at: 8)
        return writer.bytes
    }

    /// - Parameter record: header and payload.
    static func checksum(of record: UnsafeRawBufferPointer, of boot: BootID) -> UInt32 {
        var writer = WireWriter(reserving: 12)
        writer.write(boot.ordinal)
        writer.write(boot.nonce)
        var checksum = CRC32(.castagnoli, writer.bytes)
        checksum.add(UnsafeRawBufferPointer(rebasing: record[4..<8]))
        checksum.add(UnsafeRawBufferPointer(rebasing: record[12...]))
        return checksum.value
    }
}
