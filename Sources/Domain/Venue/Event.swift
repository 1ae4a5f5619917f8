// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// Something that happened. Subscribers receive events in the order of `sequence`. `payload` keeps the names of the
/// reference.
public struct Event: Equatable, Sendable {
    public enum Family: String, Sendable, CaseIterable {
        case channels, incident, streamers, network, video, session, sound, stage, data, service, venue, settings, sync
    }

    /// Counts from 1 without gaps in each run of the service.
    public var sequence: UInt64
    public var time: Monotonic
    public var wallTime: WallTime
    public var family: Family
    /// The name within the family: `channelState`, `currentChannelInvalid`…
    public var name: String
    public var payload: JSONValue

    public init(
        sequence: UInt64, time: Monotonic, wallTime: WallTime, family: Family, name: String, payload: JSONValue
    ) {
        self.sequence = sequence
        self.time = time
        self.wallTime = wallTime
        self.family = family
        self.name = name
        self.payload = payload
    }

    /// `{"sequence":…,"time":"…","type":"video.channelState","payload":{…}}`
    public var json: JSONValue {
        [
            "sequence": .integer(Int64(clamping: sequence)), "time": .string(wallTime.description),
            "type": .string(family.rawValue + "." + name), "payload": payload,
        ]
    }
}
