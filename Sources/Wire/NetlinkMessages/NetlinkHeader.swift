// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of each message of netlink (`struct nlmsghdr`).
///
/// ```
///  0               4       6       8               12              16
/// | length          | type  | flags | sequence      | port          | body
/// ```
/// All in the machine's byte order; messages begin at multiples of 4.
struct NetlinkHeader {
    /// NLMSG_ERROR: a request failed, or was acknowledged.
    static let error: UInt16 = 2
    /// NLMSG_DONE: the end of a list that was asked for.
    static let done: UInt16 = 3

    static let octets = 16
    /// Limit for one datagram.
    static let mostMessages = 4_096
    /// Limit for one message, or for one attribute that attributes are nested in.
    static let mostAttributes = 512

    /// Octets of header and body.
    let length: UInt32
    /// One of the above, or a number that the protocol gives, or that of a family of generic netlink.
    let type: UInt16
    /// That of the request which the message answers; 0 if it was not asked for.
    let sequence: UInt32

    init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        length = try reader.readNative()
        guard length >= Self.octets else {
            throw WireError(.invalid("netlink message length", UInt64(length)), at: start)
        }
        type = try reader.readNative()
        try reader.skip(2)
        sequence = try reader.readNative()
        try reader.skip(4)
    }
}
