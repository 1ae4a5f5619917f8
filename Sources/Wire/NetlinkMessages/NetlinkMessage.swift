// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// A message of rtnetlink about interfaces, addresses or routes.
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

    /// All messages of a datagram, in order.
    public static func parse(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [NetlinkMessage] {
        var reader = WireReader(bytes)
        var messages: [NetlinkMessage] = []
        try reader.forEachMessage { (header, body) throws(WireError) in
            messages.append(try Self.read(header.type, &body))
        }
        return messages
    }

    private static func read(_ type: UInt16, _ body: inout WireReader) throws(WireError) -> NetlinkMessage {
        switch type {
        case NetlinkHeader.error: .failed(errno: try body.readErrno())
        case NetlinkHeader.done: .done
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

    private static func linkHeader(_ body: inout WireReader) throws(WireError) -> (index: UInt32, isUp: Bool)? {
        try body.readLinkHeader().map { ($0.index, $0.flags & runningFlags == runningFlags) }
    }

    private static func link(_ body: inout WireReader) throws(WireError) -> NetlinkMessage {
        guard let (index, isUp) = try linkHeader(&body) else { return .other }
        var name = ""
        try body.forEachAttribute { (type, value) throws(WireError) in
            if type == 3 { name = value.readInterfaceName() }
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
        try body.forEachAttribute { (type, value) throws(WireError) in
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
        try body.forEachAttribute { (type, value) throws(WireError) in
            if type == 4 { interface = try value.readNative(UInt32.self) }
        }
        return interface
    }
}

extension WireReader {
    /// nil if the family is neither AF_INET nor AF_INET6.
    fileprivate mutating func address(family: UInt8) throws(WireError) -> NumericAddress? {
        switch family {
        case 2: NumericAddress(v4: try read())
        case 10: NumericAddress(v6: try read(), try read())
        default: nil
        }
    }
}
