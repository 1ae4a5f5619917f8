// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import JSON
import Settings
import Shapes
import Time
import Venue

extension HeadEndConfiguration {
    typealias Refusal = (_ field: String, _ value: JSONValue?, _ expectation: String) -> Void

    /// Checks what the field table cannot express: relations between fields, and numbers that must be even.
    static func check(_ document: SettingsReader, into problems: inout [Problem]) {
        let id = document.group("streamer").text("id")
        if !id.utf8.allSatisfy(isIdentifier) {
            problems.append(Problem(path: "/streamer/id", value: .string(id), expectation: "A-Z a-z 0-9 . _ -"))
        }
        var numbers: Set<Int> = []
        var taken: Set<FlowEndpoint> = []
        for (index, channel) in document.groups("channels").enumerated() {
            func refuse(_ field: String, _ value: JSONValue?, _ expectation: String) {
                problems.append(
                    Problem(path: "/channels/\(index)/\(field)", value: value, expectation: expectation))
            }
            let number = channel.integer("number")
            if !numbers.insert(number).inserted {
                refuse("number", .integer(Int64(number)), "a number that no other channel has")
            }
            checkContent(channel, refuse)
            checkRepair(channel, refuse)
            let cast = castChannel(channel, of: document)
            checkAnnouncement(cast.announcement, refuse)
            for target in cast.targets {
                var endpoint = target.endpoint
                endpoint.source = nil
                guard !taken.insert(endpoint).inserted else { continue }
                refuse(
                    target.field, .integer(Int64(endpoint.port)), "no channel before with address and port the same")
            }
        }
    }

    /// A box has to read what is announced.
    private static func checkAnnouncement(_ announcement: Announcement, _ refuse: Refusal) {
        do throws(AnnouncementError) {
            let read = try announcement.encoded.withOctets { (octets) throws(AnnouncementError) in
                try Announcement(decoding: octets)
            }
            if case .memory? = read.unusableRepair {
                let most = RepairWindows.mostOctets >> 20
                refuse("repair/depth", nil, "so few windows that they take at most \(most) MiB of a box")
            }
        } catch .tooLong(let octets) {
            let most = Announcement.mostOctets
            refuse("text", nil, "a text with which the announcement has at most \(most) octets, not \(octets)")
        } catch {
            // What else is wrong with it is told of its own field.
        }
    }

    private static func checkContent(_ channel: SettingsReader, _ refuse: Refusal) {
        for field in ["width", "height"] where channel.integer(field) % 2 == 1 {
            refuse(field, .integer(Int64(channel.integer(field))), "an even number")
        }
        let kind = channel.text("kind")
        if kind == "file", channel.text("file").isEmpty { refuse("file", "", "the path of a media file") }
        guard kind == "data" else { return }
        if channel.text("encapsulation") == "raw" { refuse("encapsulation", "raw", "\"rtp\" for data") }
        if let type = channel.optionalInteger("payloadType"), !(96...127).contains(type) {
            refuse("payloadType", .integer(Int64(type)), "96...127 for data")
        }
        let type = channel.text("contentType")
        if !isMediaType(type) { refuse("contentType", .string(type), "a media type like text/plain") }
    }

    private static func checkRepair(_ channel: SettingsReader, _ refuse: Refusal) {
        let isRaw = channel.text("encapsulation") == "raw"
        for field in ["repair", "secondPath", "plain"] where isRaw && channel.optionalGroup(field) != nil {
            refuse(field, nil, "none with encapsulation \"raw\": bare packets have no sequence numbers")
        }
        let isData = channel.text("kind") == "data"
        let repair = channel.optionalGroup("repair")
        let scheme = repair?.text("scheme")
        if isData, scheme == "parity" {
            refuse("repair/scheme", "parity", "\"windows\" for data: blocks of parity are not full until more comes")
        }
        if let repair, scheme == "windows" {
            let (source, made) = (repair.integer("sourcePackets"), repair.integer("repairPackets"))
            if source + made > 255 {
                refuse(
                    "repair/repairPackets", .integer(Int64(made)), "at most \(255 - source) beside \(source) packets")
            }
        }
        let port = channel.integer("port")
        for (field, most) in scheme == "windows" ? [("port", 2)] : [("columnPort", 2), ("rowPort", 4)]
        where repair != nil && repair?.optionalInteger(field) == nil && port + most > 65_535 {
            refuse("repair/\(field)", nil, "a port, since the channel's + \(most) is none")
        }
        if let plain = channel.optionalGroup("plain") {
            if isData || scheme != "windows" {
                refuse("plain", nil, "none but beside pictures with repair by windows: others play the channel itself")
            }
            let port = plain.integer("port")
            for (field, more) in [("columnPort", 2), ("rowPort", 4)]
            where plain.boolean("hasParity") && plain.optionalInteger(field) == nil && port + more > 65_535 {
                refuse("plain/\(field)", nil, "a port, since that of plain + \(more) is none")
            }
        }
        let kilobits = content(channel).bandwidthKbps
        if let delay = channel.optionalInteger("playoutDelayMs"),
            let span = transport(channel, kilobitsPerSecond: kilobits).repair?.span, span.milliseconds > delay
        {
            refuse("playoutDelayMs", .integer(Int64(delay)), "at least the repair's span, \(span.milliseconds)")
        }
    }

    private static func isIdentifier(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Whether the text is `type/subtype` without parameters (RFC 6838 §4.2), as announcements carry it.
    private static func isMediaType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { isIdentifier($0) || "!#$&^+".utf8.contains($0) }
            }
    }
}
