// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// A message of ethtool, the family of generic netlink by which drivers tell how fast their wire is.
public enum EthernetMessage: Hashable, Sendable {
    /// - speed: Mbit/s; nil if the driver does not know, as without a carrier. `duplex` likewise.
    case modes(index: UInt32, speed: UInt32?, duplex: LinkFigures.Duplex?)
    /// The end of the list (NLMSG_DONE).
    case done
    /// - errno: positive; 0 is an acknowledgement (NLMSG_ERROR).
    case failed(errno: UInt32)
    case other

    /// The datagram that asks all drivers (ETHTOOL_MSG_LINKMODES_GET).
    public static func request(family: UInt16, sequence: UInt32) -> [UInt8] {
        NetlinkRequest(family: family, command: 4, isForList: true, sequence: sequence).octets
    }

    /// All messages of a datagram, in order.
    /// - Parameter family: number that the kernel has given to ethtool.
    public static func parse(
        _ datagram: UnsafeRawBufferPointer, family: UInt16
    ) throws(WireError) -> [EthernetMessage] {
        var reader = WireReader(datagram)
        var messages: [EthernetMessage] = []
        try reader.forEachMessage { (header, body) throws(WireError) in
            switch header.type {
            case NetlinkHeader.error: messages.append(.failed(errno: try body.readErrno()))
            case NetlinkHeader.done: messages.append(.done)
            case family: messages.append(try modes(&body))
            default: messages.append(.other)
            }
        }
        return messages
    }

    private static func modes(_ body: inout WireReader) throws(WireError) -> EthernetMessage {
        guard try body.read(UInt8.self) == 4 else { return .other }  // ETHTOOL_MSG_LINKMODES_GET_REPLY
        try body.skip(3)
        var (index, speed): (UInt32?, UInt32?)
        var duplex: LinkFigures.Duplex?
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch type {
            case 1:  // ETHTOOL_A_LINKMODES_HEADER
                try value.forEachAttribute { (type, value) throws(WireError) in
                    if type == 1 { index = try value.readWhole() }  // ETHTOOL_A_HEADER_DEV_INDEX
                }
            case 5: speed = try value.readWhole()  // ETHTOOL_A_LINKMODES_SPEED
            case 6: duplex = try Self.duplex(value.readWhole(UInt8.self))  // ETHTOOL_A_LINKMODES_DUPLEX
            default: break
            }
        }
        guard let index else { return .other }
        let isKnown = speed.map { $0 > 0 && $0 != .max } ?? false  // SPEED_UNKNOWN is -1
        return .modes(index: index, speed: isKnown ? speed : nil, duplex: duplex)
    }

    private static func duplex(_ number: UInt8) -> LinkFigures.Duplex? {
        switch number {
        case 0: .half  // DUPLEX_HALF
        case 1: .full  // DUPLEX_FULL
        default: nil  // DUPLEX_UNKNOWN
        }
    }
}
