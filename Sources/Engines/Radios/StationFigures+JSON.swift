// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio

extension StationFigures {
    /// A client of an access point, as reports have it. Its octets are those of its association.
    public var json: JSONValue {
        [
            "address": .string(address.description), "signalDbm": JSONValue(known: signal),
            "receiveRate": receiveRate?.json ?? .null, "transmitRate": transmitRate?.json ?? .null,
            "connectedS": JSONValue(known: connected?.components.seconds),
            "inactiveMs": JSONValue(known: inactive?.milliseconds),
            "receivedOctets": JSONValue(known: octetsReceived), "transmittedOctets": JSONValue(known: octetsSent),
        ]
    }
}

extension Duration {
    /// Whole milliseconds.
    public var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000
    }
}
