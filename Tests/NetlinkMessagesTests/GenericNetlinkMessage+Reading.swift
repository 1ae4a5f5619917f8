// SPDX-License-Identifier: Apache-2.0
import Bytes
import NetlinkMessages
import Radio
import TestSupport

extension GenericNetlinkMessage {
    /// What is read of it as the answer to a request.
    func reply() throws -> WirelessMessage { try Self.read(body, .reply) }

    /// What is read of it as an event; nil if it does not concern us.
    func event() throws -> RadioEvent? {
        guard case .event(let event) = try Self.read(body, .multicast) else { return nil }
        return event
    }

    /// Why it is refused as the answer to a request; nil if it is not.
    var refusal: WireError.Reason? { thrown(WireError.self) { try reply() }?.reason }

    static func read(_ body: [UInt8], _ delivery: WirelessMessage.Delivery) throws -> WirelessMessage {
        try body.withUnsafeBytes { try WirelessMessage($0, delivery) }
    }

    static func parse(_ datagram: [UInt8]) throws -> [WirelessMessage] {
        try datagram.withUnsafeBytes { try WirelessMessage.parse($0, family: 28) }
    }
}
