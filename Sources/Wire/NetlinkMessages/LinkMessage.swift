// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// A message of rtnetlink in answer to `RouteRequest.links`, with what the kernel counts of an interface.
public enum LinkMessage: Hashable, Sendable {
    case link(LinkFigures)
    /// The end of the list (NLMSG_DONE).
    case done
    /// - errno: positive; 0 is an acknowledgement (NLMSG_ERROR).
    case failed(errno: UInt32)
    case other

    /// All messages of a datagram, in order.
    public static func parse(_ datagram: UnsafeRawBufferPointer) throws(WireError) -> [LinkMessage] {
        var reader = WireReader(datagram)
        var messages: [LinkMessage] = []
        try reader.forEachMessage { (header, body) throws(WireError) in
            switch header.type {
            case NetlinkHeader.error: messages.append(.failed(errno: try body.readErrno()))
            case NetlinkHeader.done: messages.append(.done)
            case 16: messages.append(try link(&body))  // RTM_NEWLINK
            default: messages.append(.other)
            }
        }
        return messages
    }

    private static func link(_ body: inout WireReader) throws(WireError) -> LinkMessage {
        guard let (index, flags) = try body.readLinkHeader() else { return .other }
        var figures = LinkFigures(index: index, name: "")
        figures.isUp = flags & 0x1 != 0  // IFF_UP
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch type {
            case 1: figures.address = value.remaining == 6 ? try value.readHardwareAddress() : nil  // IFLA_ADDRESS
            case 3: figures.name = value.readInterfaceName()  // IFLA_IFNAME
            case 4: figures.mtu = try value.readWhole()  // IFLA_MTU
            case 23: figures.counters = try LinkFigures.Counters(from: &value)  // IFLA_STATS64
            case 33: figures.hasCarrier = try value.readWhole(UInt8.self) != 0  // IFLA_CARRIER
            case 56: figures.isHardware = value.remaining > 0  // IFLA_PARENT_DEV_NAME, of Linux 5.14
            case 35: figures.carrierChanges = try value.readWhole()  // IFLA_CARRIER_CHANGES
            default: break
            }
        }
        // Of an interface that is switched off the kernel says that it has one.
        figures.hasCarrier = figures.hasCarrier && figures.isUp
        return figures.name.isEmpty ? .other : .link(figures)
    }
}

extension LinkFigures.Counters {
    /// Reads `struct rtnl_link_stats64`, which newer kernels make longer.
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        self.init()
        let counters: [WritableKeyPath<Self, UInt64>] = [
            \.packetsReceived, \.packetsSent, \.octetsReceived, \.octetsSent, \.receiveErrors, \.sendErrors,
            \.receiveDrops, \.sendDrops, \.multicastReceived, \.collisions, \.lengthErrors, \.overruns,
            \.checksumErrors,
        ]
        for counter in counters { self[keyPath: counter] = try reader.readNative() }
    }
}
