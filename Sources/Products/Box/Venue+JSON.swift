// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

extension Channel {
    /// The channel as `channels` and the events of the line-up show it (SVM-37…41).
    var json: JSONValue {
        var result: JSONValue = [
            "id": .string(id.text), "kind": .string(kind.rawValue), "name": .string(name),
            "channelText": .string(channelText), "sessionNum": .integer(sessionNumber),
            "sessionTitle": .string(sessionTitle), "bandwidthKbps": .integer(Int64(bandwidthKbps)),
            "address": .string(transport.address), "port": .integer(Int64(transport.port)),
            "source": transport.source.map { .string($0) } ?? .null,
            "playoutDelayMs": playoutDelay.map { .integer($0.milliseconds) } ?? .null,
            "streamer": streamer.map { .string($0.text) } ?? .null,
            "venueName": fieldOfUse.map { .string($0.venueName) } ?? .null,
            "contentOwner": fieldOfUse.map { .string($0.contentOwner) } ?? .null,
            "appDeveloper": fieldOfUse.map { .string($0.appDeveloper) } ?? .null,
            "repair": transport.repair?.json ?? .null, "secondPath": transport.secondPath?.json ?? .null,
            "furtherSources": .array(transport.furtherSources.map { .string($0) }),
            "contentType": contentType.map { .string($0) } ?? .null,
        ]
        switch transport.encapsulation {
        case .raw:
            result["encapsulation"] = "raw"
            result["payloadType"] = .null
        case .rtp(let payloadType):
            result["encapsulation"] = "rtp"
            result["payloadType"] = .integer(Int64(payloadType))
        case .elementary(let media):
            result["encapsulation"] = "elementary"
            result["payloadType"] = media.first.map { .integer(Int64($0.payloadType)) } ?? .null
        }
        return result
    }
}

extension ListedChannel {
    /// The entry as `channels` and the events of the line-up show it. Members that a playlist does not have are null.
    var json: JSONValue {
        var result =
            channel?.json ?? [
                "kind": .string(kind.rawValue), "channelText": "", "address": .null, "port": .null,
                "bandwidthKbps": 0, "streamer": .null,
            ]
        result["id"] = .string(id.text)
        result["number"] = .integer(Int64(number))
        result["name"] = .string(name)
        result["origin"] = .string(origin.rawValue)
        result["groups"] = .array(groups.map { .string($0) })
        result["isFavourite"] = .bool(isFavourite)
        result["isHidden"] = .bool(isHidden)
        return result
    }
}

extension Streamer {
    /// The streamer as `streamers` and its events show it (SVM-26), without ages, which depend on the current time.
    var json: JSONValue {
        [
            "id": .string(id.text), "name": .string(name), "address": .string(address),
            "version": version.map { .integer(Int64($0)) } ?? .null, "channelCount": .integer(Int64(channelCount)),
            "isAllowed": .bool(isAllowed),
        ]
    }
}
