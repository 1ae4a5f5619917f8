// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import Time
import Venue

/// What a replay has to know of a recorded channel besides its datagrams.
public struct FlowDescription: Equatable, Sendable {
    public var channel: String
    /// Without sources; never of elementary streams.
    public var transport: Transport
    public var bandwidthKbps: Int
    /// As `ProgramChoice?.recordedText`.
    public var program: String
    /// Repair that was found beside the media and is used; nil if there is none.
    public var found: Repair?
    /// How long a gap of a flow with such repair stays open.
    public var hold = Nanoseconds.zero
    /// Names of the counters in the order of a record of them.
    public var counters: [String]
    public var keepsPayload: Bool

    /// nil for elementary streams, which are not recorded.
    public init?(
        _ channel: String, _ transport: Transport, bandwidthKbps: Int, program: String, counters: [String],
        keepsPayload: Bool
    ) {
        if case .elementary = transport.encapsulation { return nil }
        self.channel = channel
        self.transport = transport.withoutSources
        (self.bandwidthKbps, self.program) = (bandwidthKbps, program)
        (self.counters, self.keepsPayload) = (counters, keepsPayload)
    }

    /// The repair that recovered what was lost.
    public var repair: Repair? { transport.repair ?? found }

    public var json: JSONValue {
        var json: JSONValue = [
            "channel": .string(channel), "address": .string(transport.address),
            "port": .integer(Int64(transport.port)), "bandwidthKbps": .integer(Int64(bandwidthKbps)),
            "program": .string(program), "keepsPayload": .bool(keepsPayload),
            "counters": .array(counters.map { .string($0) }),
        ]
        switch transport.encapsulation {
        case .rtp(let type):
            json["encapsulation"] = "rtp"
            json["payloadType"] = .integer(Int64(type))
        case .raw: json["encapsulation"] = "raw"
        case .automatic, .elementary: json["encapsulation"] = "automatic"
        }
        json["repair"] = transport.repair?.json
        json["secondPath"] = transport.secondPath?.json
        if let found {
            json["found"] = found.json
            json["holdMs"] = .integer(hold.milliseconds)
        }
        return json
    }
}
