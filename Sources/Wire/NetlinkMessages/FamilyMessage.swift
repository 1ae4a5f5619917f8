// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A family of generic netlink, such as nl80211, as the kernel describes it.
public struct NetlinkFamily: Hashable, Sendable {
    /// Number that messages of the family have, until the machine is switched off.
    public var number: UInt16
    /// Numbers of the groups that tell of events, by their names.
    public var groups: [String: UInt32]

    public init(number: UInt16, groups: [String: UInt32] = [:]) {
        self.number = number
        self.groups = groups
    }

    /// The datagram that asks for a family by its name. The answer is one `FamilyMessage`; ENOENT if the kernel does not
    /// have the family, or not yet.
    /// - Parameter name: at most 15 octets.
    public static func request(name: String, sequence: UInt32) -> [UInt8] {
        var request = NetlinkRequest(family: FamilyMessage.controller, command: 3, isForList: false, sequence: sequence)
        request.append(attribute: 2, Array(name.utf8) + [0])  // CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME
        return request.octets
    }
}

/// A message of the controller, the family of generic netlink that knows the others.
public enum FamilyMessage: Hashable, Sendable {
    case family(NetlinkFamily)
    /// - errno: positive; 0 is an acknowledgement (NLMSG_ERROR).
    case failed(errno: UInt32)
    case other

    /// GENL_ID_CTRL
    static let controller: UInt16 = 16
    /// The kernel gives a family a few.
    private static let mostGroups = 64

    /// All messages of a datagram, in order.
    public static func parse(_ datagram: UnsafeRawBufferPointer) throws(WireError) -> [FamilyMessage] {
        var reader = WireReader(datagram)
        var messages: [FamilyMessage] = []
        try reader.forEachMessage { (header, body) throws(WireError) in
            switch header.type {
            case NetlinkHeader.error: messages.append(.failed(errno: try body.readErrno()))
            case controller: messages.append(try message(&body))
            default: messages.append(.other)
            }
        }
        return messages
    }

    private static func message(_ body: inout WireReader) throws(WireError) -> FamilyMessage {
        let start = body.offset
        guard try body.read(UInt8.self) == 1 else { return .other }  // CTRL_CMD_NEWFAMILY
        try body.skip(3)
        var number: UInt16?
        var groups: [String: UInt32] = [:]
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch type {
            case 1: number = try value.readWhole()  // CTRL_ATTR_FAMILY_ID
            case 7:  // CTRL_ATTR_MCAST_GROUPS: one in each attribute, by number
                try value.forEachAttribute { (_, group) throws(WireError) in
                    guard let (name, number) = try Self.group(&group), groups.count < mostGroups else { return }
                    groups[name] = number
                }
            default: break
            }
        }
        guard let number else { throw WireError(.invalid("netlink family without number", 0), at: start) }
        return .family(NetlinkFamily(number: number, groups: groups))
    }

    private static func group(_ body: inout WireReader) throws(WireError) -> (String, UInt32)? {
        var name: String?
        var number: UInt32?
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch type {
            case 1: name = value.readInterfaceName()  // CTRL_ATTR_MCAST_GRP_NAME, of GENL_NAMSIZ
            case 2: number = try value.readWhole()  // CTRL_ATTR_MCAST_GRP_ID
            default: break
            }
        }
        guard let name, let number else { return nil }
        return (name, number)
    }
}
