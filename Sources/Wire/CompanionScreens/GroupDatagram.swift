// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What boxes of a synchronised group send each other: one UDP datagram to the group's multicast address. The format is
/// this product's own.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---------------------------------------------------------------+
///     |                            "TLSG"                             |
///     +---------------+---------------+-------------------------------+
///     |  version (1)  | reserved (0)  |    number of instances (N)    |
///     +---------------+---------------+-------------------------------+
///     |                  instance of the sender, 64 bits              |
///     |                                                               |
///     +---------------------------------------------------------------+
///     |                  counter of the instance, 64 bits             |
///     |                                                               |
///     +---------------------------------------------------------------+
///     |                  N instances that the sender heard, 64 bits   |
///     |                  each                                         |
///     +---------------------------------------------------------------+
///     |                  an announcement, JSON                        |
///     +---------------------------------------------------------------+
///     |                  tag of all before, 32 octets                 |
///     +---------------------------------------------------------------+
///
/// An instance is a random number that a box takes when it starts. A box that finds its own instance in a datagram knows
/// that it was sent after that start, and by the counter that it is no repetition.
public struct GroupDatagram: Hashable, Sendable {
    public static let tagOctets = 32
    /// Of all octets before the instances.
    private static let headOctets = 24
    public static let mostHeard = 256
    /// Of a datagram that is read.
    public static let mostOctets = headOctets + 8 * mostHeard + GroupAnnouncement.mostOctets + tagOctets

    private static let magic: UInt32 = 0x544c_5347
    private static let version: UInt8 = 1

    public let instance: UInt64
    public let counter: UInt64
    /// Instances of other boxes that the sender hears, at most 256.
    public let heard: [UInt64]
    /// The text of an announcement, which may be anything.
    public let text: [UInt8]

    /// - Parameters:
    ///   - heard: at most 256.
    ///   - text: at most `GroupAnnouncement.mostOctets`.
    public init(instance: UInt64, counter: UInt64, heard: [UInt64], text: [UInt8]) {
        (self.instance, self.counter, self.heard, self.text) = (instance, counter, heard, text)
    }

    /// Reads a datagram, but not its tag: that is for a holder of the key to judge, before anything is believed.
    /// - Throws: `.truncated`; `.invalid` for another protocol; `.unsupported` for another version; `.limit` for too many
    ///   octets or instances.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes, in: 0..<max(0, bytes.count - Self.tagOctets))
        let magic: UInt32 = try reader.read()
        guard magic == Self.magic else { throw WireError(.invalid("protocol", UInt64(magic)), at: 0) }
        let version: UInt8 = try reader.read()
        guard version == Self.version else {
            throw WireError(.unsupported("group datagram version", UInt64(version)), at: 4)
        }
        try reader.skip(1)
        let count: UInt16 = try reader.read()
        guard Int(count) <= Self.mostHeard else { throw WireError(.limit("instances", UInt64(count)), at: 6) }
        instance = try reader.read()
        counter = try reader.read()
        var heard: [UInt64] = []
        for _ in 0..<count { heard.append(try reader.read()) }
        self.heard = heard
        guard reader.remaining <= GroupAnnouncement.mostOctets else {
            throw WireError(.limit("announcement octets", UInt64(reader.remaining)), at: reader.offset)
        }
        text = Array(bytes[reader.takeRest()])
    }

    /// What the tag is of: all octets before it.
    public static func signed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.dropLast(tagOctets))
    }

    public static func tag(of bytes: UnsafeRawBufferPointer) -> [UInt8] { Array(bytes.suffix(tagOctets)) }

    /// All octets before the tag.
    public var signedOctets: [UInt8] {
        var writer = WireWriter(reserving: Self.headOctets + 8 * heard.count + text.count + Self.tagOctets)
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(UInt8(0))
        writer.write(UInt16(clamping: heard.count))
        writer.write(instance)
        writer.write(counter)
        for instance in heard { writer.write(instance) }
        writer.write(contentsOf: text)
        return writer.bytes
    }
}
