// SPDX-License-Identifier: Apache-2.0
import JSON

/// Another vendor's announcements, made from `config/ANNOUNCEMENT.md` alone.
struct AnnouncementMaker {
    var streamer = "vendor"
    var license = BoxProcess.license
    var version: JSONValue = 1
    let group: Group

    /// One SAP packet with JSON about a channel.
    /// - Parameter hash: as of `packet`.
    func channel(_ name: String, number: Int, text: String = "", hash: UInt16? = nil) -> [UInt8] {
        var body: JSONValue = [
            "version": version, "streamer": ["id": .string(streamer)], "session": ["number": .integer(Int64(number))],
            "license": license, "kind": "video", "name": .string(name),
            "transport": [
                "address": .string(group.address), "port": .integer(Int64(group.port)), "encapsulation": "rtp",
            ],
        ]
        if !text.isEmpty { body["text"] = .string(text) }
        return Self.packet(body.text(), hash: hash)
    }

    /// RFC 2974: version 1, IPv4 origin, no authentication.
    /// - Parameter hash: nil for one of the body, which other bodies may have as well.
    static func packet(
        _ body: String, type: String = "application/vnd.touchline.announcement+json", hash: UInt16? = nil
    ) -> [UInt8] {
        let hash = hash ?? body.utf8.reduce(UInt16(1)) { ($0 &* 31 &+ UInt16($1)) | 1 }
        return [0x20, 0, UInt8(hash >> 8), UInt8(hash & 0xff), 127, 0, 0, 1] + Array(type.utf8) + [0] + Array(body.utf8)
    }
}
