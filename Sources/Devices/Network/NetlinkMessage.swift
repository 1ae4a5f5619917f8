// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// A message of rtnetlink about interfaces, addresses or routes.
///
/// ```
///  0               4       6       8               12              16
/// | length          | type  | flags | sequence      | port          | body, then attributes: length 16, type 16, value
/// ```
/// All in the machine's byte order; messages and attributes begin at multiples of 4.
public enum NetlinkMessage: Equatable, Sendable {
    /// - isUp: administratively up and able to carry packets; a WiFi interface is associated and authorised.
    case link(index: UInt32, name: String, isUp: Bool)
    case linkGone(index: UInt32)
    case address(NumericAddress, index: UInt32)
    case addressGone(NumericAddress, index: UInt32)
    /// - interface: index; 0 when the route names none.
    case route(interface: UInt32)
    case routeGone
    /// The end of a list that was asked for (NLMSG_DONE).
    case done
    /// - errno: positive; 0 is an acknowledgement (NLMSG_ERROR).
    case failed(errno: UInt32)
    /// A message that does not concern us.
    case other

    /// Limit for one datagram.
    static let mostMessages = 4_096
    /// Limit for one message.
    static let mostAttributes = 512

    private static let headerOctets = 16

    /// All messages of a datagram, in order.
    public static func parse(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [NetlinkMessage] {
        var reader = WireReader(bytes)
        var messages: [NetlinkMessage] = []
        while !reader.isAtEnd {
            let start = reader.offset
            guard messages.count < mostMessages else {
                throw WireError(.limit("netlink messages", UInt64(messages.count)), at: start)
            }
            let length = try reader.readNative(UInt32.self)
            guard length >= headerOctets else {
                throw WireError(.invalid("netlink message length", UInt64(length)), at: start)
            }
            let type = try reader.readNative(UInt16.self)
            try reader.skip(10)
            var body = try reader.reader(of: Int(length) - headerOctets)
            messages.append(try Self.read(type, &body))
            try reader.skipPadding(of: Int(length))
        }
        return messages
    }

    private static func read(_ type: UInt16, _ body: inout WireReader) throws(WireError) -> NetlinkMessage {
        switch type {
        case 2: .failed(errno: UInt32(bitPattern: try body.readNative(Int32.self)).magnitudeOfNegative)
        case 3: .done
        case 16: try link(&body)
        case 17: try linkHeader(&body).map { .linkGone(index: $0.index) } ?? .other
        case 20: try address(&body).map { .address($0.address, index: $0.index) } ?? .other
        case 21: try address(&body).map { .addressGone($0.address, index: $0.index) } ?? .other
        case 24: .route(interface: try routeInterface(&body))
        case 25: .routeGone
        default: .other
        }
    }

    // MARK: ifinfomsg

    private static let runningFlags: UInt32 = 0x1 | 0x40  // IFF_UP, IFF_RUNNING

    /// nil for a bridge's message about one of its ports (AF_BRIDGE): its RTM_DELLINK does not end the link itself.
    private static func linkHeader(_ body: inout WireReader) throws(WireError) -> (index: UInt32, isUp: Bool)? {
        let family = try body.read(UInt8.self)
        try body.skip(3)
        let index = try body.readNative(UInt32.self)
        let flags = try body.readNative(UInt32.self)
        try body.skip(4)
        return family == 0 ? (index, flags & runningFlags == runningFlags) : nil
    }

    private static func link(_ body: inout WireReader) throws(WireError) -> NetlinkMessage {
        guard let (index, isUp) = try linkHeader(&body) else { return .other }
        var name = ""
        try attributes(&body) { (type, value) throws(WireError) in
            if type == 3 { name = try value.interfaceName() }
        }
        return .link(index: index, name: name, isUp: isUp)
    }

    // MARK: ifaddrmsg

    /// nil if the address is neither IPv4 nor IPv6, or is missing.
    private static func address(
        _ body: inout WireReader
    ) throws(WireError) -> (address: NumericAddress, index: UInt32)? {
        let family = try body.read(UInt8.self)
        try body.skip(3)
        let index = try body.readNative(UInt32.self)
        var (address, local): (NumericAddress?, NumericAddress?)
        try attributes(&body) { (type, value) throws(WireError) in
            // With a peer address in IFA_ADDRESS, IFA_LOCAL holds our own.
            if type == 1 { address = try value.address(family: family) }
            if type == 2 { local = try value.address(family: family) }
        }
        return (local ?? address).map { ($0, index) }
    }

    // MARK: rtmsg

    private static func routeInterface(_ body: inout WireReader) throws(WireError) -> UInt32 {
        try body.skip(12)
        var interface: UInt32 = 0
        try attributes(&body) { (type, value) throws(WireError) in
            if type == 4 { interface = try value.readNative(UInt32.self) }
        }
        return interface
    }

    // MARK: rtattr

    private static func attributes(
        _ body: inout WireReader, _ each: (UInt16, inout WireReader) throws(WireError) -> Void
    ) throws(WireError) {
        var count = 0
        while !body.isAtEnd {
            let start = body.offset
            count += 1
            guard count <= mostAttributes else {
                throw WireError(.limit("netlink attributes", UInt64(count)), at: start)
            }
            let length = Int(try body.readNative(UInt16.self))
            guard length >= 4 else {
                throw WireError(.invalid("netlink attribute length", UInt64(length)), at: start)
            }
            // The upper two bits are flags: nested, and network byte order.
            let type = try body.readNative(UInt16.self) & 0x3fff
            var value = try body.reader(of: length - 4)
            try each(type, &value)
            try body.skipPadding(of: length)
        }
    }
}

extension WireReader {
    /// Reads an integer in the machine's byte order, as the kernel writes it.
    fileprivate mutating func readNative<T: FixedWidthInteger>(_ type: T.Type) throws(WireError) -> T {
        try read(type).bigEndian
    }

    /// Skips to the next multiple of 4 or to the end; the last attribute has no padding.
    fileprivate mutating func skipPadding(of length: Int) throws(WireError) {
        try skip(Swift.min(remaining, -length & 3))
    }

    /// Reads at most 15 octets (IFNAMSIZ - 1) up to a zero.
    fileprivate mutating func interfaceName() throws(WireError) -> String {
        let range = takeRest()
        return String(decoding: bytes[range].prefix(15).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// nil if the family is neither AF_INET nor AF_INET6.
    fileprivate mutating func address(family: UInt8) throws(WireError) -> NumericAddress? {
        switch family {
        case 2: NumericAddress(v4: try read())
        case 10: NumericAddress(v6: try read(), try read())
        default: nil
        }
    }
}

extension UInt32 {
    /// The absolute value of a number that is 0 or negative.
    fileprivate var magnitudeOfNegative: UInt32 { 0 &- self }
}
