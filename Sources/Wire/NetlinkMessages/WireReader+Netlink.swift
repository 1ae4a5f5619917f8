// SPDX-License-Identifier: Apache-2.0
import Bytes

/// How all protocols of netlink lay out messages, attributes and integers.
extension WireReader {
    /// Reads an integer in the machine's byte order, as the kernel writes it.
    mutating func readNative<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(WireError) -> T {
        try read(type).bigEndian
    }

    /// Reads the whole value of an attribute as one integer in the machine's byte order.
    /// - Throws: `invalid` if the value has another length.
    mutating func readWhole<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(WireError) -> T {
        try expectRemaining(MemoryLayout<T>.size)
        return try readNative(type)
    }

    /// - Throws: `invalid` if the value of an attribute has another length.
    func expectRemaining(_ octets: Int) throws(WireError) {
        guard remaining == octets else {
            throw WireError(.invalid("netlink attribute length", UInt64(remaining)), at: offset)
        }
    }

    /// Reads the body of NLMSG_ERROR.
    /// - Returns: a positive errno; 0 is an acknowledgement.
    mutating func readErrno() throws(WireError) -> UInt32 { 0 &- (try readNative(UInt32.self)) }

    /// Reads `struct ifinfomsg`, with which messages about interfaces begin.
    ///
    /// ```
    ///  0        1          2      4       8       12       16
    /// | family | reserved | type | index | flags | change | attributes
    /// ```
    /// - Returns: nil for a bridge's message about one of its ports (AF_BRIDGE): its RTM_DELLINK does not end the link
    ///   itself.
    mutating func readLinkHeader() throws(WireError) -> (index: UInt32, flags: UInt32)? {
        let family = try read(UInt8.self)
        try skip(3)
        let index = try readNative(UInt32.self)
        let flags = try readNative(UInt32.self)
        try skip(4)
        return family == 0 ? (index, flags) : nil
    }

    /// Reads at most 15 octets (IFNAMSIZ - 1) up to a zero.
    mutating func readInterfaceName() -> String {
        let range = takeRest()
        return String(decoding: bytes[range].prefix(15).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Reads all messages of a datagram, in order.
    mutating func forEachMessage(
        _ each: (NetlinkHeader, inout WireReader) throws(WireError) -> Void
    ) throws(WireError) {
        var count = 0
        while !isAtEnd {
            guard count < NetlinkHeader.mostMessages else {
                throw WireError(.limit("netlink messages", UInt64(count)), at: offset)
            }
            count += 1
            let header = try NetlinkHeader(from: &self)
            let length = Int(header.length)
            var body = try reader(of: length - NetlinkHeader.octets)
            try each(header, &body)
            try skipPadding(of: length)
        }
    }

    /// Reads all attributes of a message, or of an attribute that they are nested in, in order.
    ///
    /// ```
    ///  0       2       4
    /// | length | type  | value
    /// ```
    /// In the machine's byte order; attributes begin at multiples of 4.
    mutating func forEachAttribute(
        _ each: (UInt16, inout WireReader) throws(WireError) -> Void
    ) throws(WireError) {
        var count = 0
        while !isAtEnd {
            let start = offset
            count += 1
            guard count <= NetlinkHeader.mostAttributes else {
                throw WireError(.limit("netlink attributes", UInt64(count)), at: start)
            }
            let length = Int(try readNative(UInt16.self))
            guard length >= 4 else {
                throw WireError(.invalid("netlink attribute length", UInt64(length)), at: start)
            }
            // The upper two bits are flags: nested, and network byte order.
            let type = try readNative(UInt16.self) & 0x3fff
            var value = try reader(of: length - 4)
            try each(type, &value)
            try skipPadding(of: length)
        }
    }

    /// Skips to the next multiple of 4 or to the end; the last attribute has no padding.
    private mutating func skipPadding(of length: Int) throws(WireError) {
        try skip(Swift.min(remaining, -length & 3))
    }
}
