// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A request of netlink: header, fixed part and attributes, all in the machine's byte order.
struct NetlinkRequest {
    private static let isRequest: UInt16 = 0x1  // NLM_F_REQUEST
    private static let wantsList: UInt16 = 0x300  // NLM_F_DUMP

    let type: UInt16
    let isForList: Bool
    /// That the answers will have.
    let sequence: UInt32
    private var body = WireWriter()

    /// - Parameter type: a number that the protocol gives, or that of a family of generic netlink.
    init(type: UInt16, isForList: Bool, sequence: UInt32) {
        (self.type, self.isForList, self.sequence) = (type, isForList, sequence)
    }

    /// The header of generic netlink: `| command | version | reserved |`.
    init(family: UInt16, command: UInt8, version: UInt8 = 1, isForList: Bool, sequence: UInt32) {
        self.init(type: family, isForList: isForList, sequence: sequence)
        append([command, version, 0, 0])
    }

    /// Appends to the fixed part; it has a multiple of 4 octets.
    mutating func append(_ octets: [UInt8]) { body.write(contentsOf: octets) }

    mutating func appendNative<T: FixedWidthInteger>(_ value: T) { body.write(value.bigEndian) }

    /// Appends an attribute, with the zeros that follow it.
    mutating func append(attribute type: UInt16, _ value: [UInt8]) {
        appendNative(UInt16(4 + value.count))
        appendNative(type)
        body.write(contentsOf: value)
        body.write(repeating: 0, count: -value.count & 3)
    }

    mutating func append(attribute type: UInt16, _ value: UInt32) {
        appendNative(UInt16(8))
        appendNative(type)
        appendNative(value)
    }

    /// The datagram.
    var octets: [UInt8] {
        var writer = NetlinkRequest(type: type, isForList: isForList, sequence: sequence)
        writer.appendNative(UInt32(NetlinkHeader.octets + body.count))
        writer.appendNative(type)
        writer.appendNative(isForList ? Self.isRequest | Self.wantsList : Self.isRequest)
        writer.appendNative(sequence)
        writer.appendNative(UInt32(0))  // the kernel knows the port of the socket
        writer.append(body.bytes)
        return writer.body.bytes
    }
}
