// SPDX-License-Identifier: Apache-2.0

/// A message of generic netlink, as the kernel writes it: in the machine's byte order.
public struct GenericNetlinkMessage: Sendable {
    // struct nlmsghdr
    /// `nlmsg_type`: number of the family.
    public var family: UInt16 = 28
    /// `nlmsg_flags`.
    public var flags: UInt16 = 2  // NLM_F_MULTI
    /// `nlmsg_seq`: 0 if the message was not asked for.
    public var sequence: UInt32 = 7
    /// `nlmsg_pid`: port of the socket that asked.
    public var port: UInt32 = 4_711
    // struct genlmsghdr
    public var command: UInt8
    public var version: UInt8 = 1
    public var reserved: UInt16 = 0
    public var attributes: [NetlinkAttribute]

    public init(command: UInt8, _ attributes: [NetlinkAttribute]) {
        self.command = command
        self.attributes = attributes
    }

    /// The message as one that was sent to all who listen.
    public var multicast: Self {
        var message = self
        (message.flags, message.sequence, message.port) = (0, 0, 0)
        return message
    }

    /// `struct genlmsghdr` and the attributes.
    public var body: [UInt8] {
        var octets = [command, version]
        octets += [UInt8](native: reserved)
        for attribute in attributes { octets += attribute.octets }
        return octets
    }

    /// The whole message.
    public var octets: [UInt8] {
        let body = body
        var octets = [UInt8](native: UInt32(16 + body.count))
        octets += [UInt8](native: family)
        octets += [UInt8](native: flags)
        octets += [UInt8](native: sequence)
        octets += [UInt8](native: port)
        return octets + body
    }
}
