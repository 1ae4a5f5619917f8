// SPDX-License-Identifier: Apache-2.0
import JSON

/// One thing that a relay did to one datagram.
public struct RelayRecord: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case dropped, duplicated, corrupted, reordered }

    public var kind: Kind
    public var flow: Int
    /// Number of the datagram within its flow, in order of arrival, from 0.
    public var number: Int64
    /// RTP sequence number; nil when the datagram does not look like RTP.
    public var sequence: UInt16?

    public var json: JSONValue {
        var json: JSONValue = [
            "event": .string(kind.rawValue), "flow": .integer(Int64(flow)), "number": .integer(number),
        ]
        json["sequence"] = sequence.map { .integer(Int64($0)) }
        return json
    }
}
