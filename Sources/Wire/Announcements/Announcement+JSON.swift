// SPDX-License-Identifier: Apache-2.0
import JSON
import Time
import Venue

extension Announcement {
    /// The bounds of `config/announcement.schema.json`. A test checks that the two agree.
    enum Bounds {
        static let identifier = 1...64
        static let name = 1...128
        static let license = 1...256
        static let text = 4_096
        /// The integers that every JSON library represents exactly.
        static let sessionNumber: ClosedRange<Int64> = 0...9_007_199_254_740_991
        static let bandwidthKbps: ClosedRange<Int64> = 0...10_000_000
        static let playoutDelayMs: ClosedRange<Int64> = 0...30_000
        static let intervalMs: ClosedRange<Int64> = 100...600_000
        static let contentType = 3...128
        static let furtherSources = 15
        static let scheme = 1...32
        /// Source and repair packets of a window, octets of a symbol, and depth. What is supported is less.
        static let packets: ClosedRange<Int64> = 1...65_535
        static let spanMs: ClosedRange<Int64> = 1...30_000
        static let skewMs: ClosedRange<Int64> = 1...10_000
        static let depth = 16
        static let values = 1_024
    }

    /// - Parameter body: a SAP payload; borrowed for the call.
    /// - Throws: the first error, in this order: length, JSON, version, fields.
    public init(decoding body: UnsafeRawBufferPointer) throws(AnnouncementError) {
        guard body.count <= Self.mostOctets else { throw .tooLong(octets: body.count) }
        let limits = JSONLimits(
            maximumDepth: Bounds.depth, maximumOctets: Self.mostOctets, maximumValues: Bounds.values)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(body, limits: limits)
        } catch {
            throw .invalidJSON(error)
        }
        try self.init(json: value)
    }

    public init(json: JSONValue) throws(AnnouncementError) {
        let fields = try AnnouncementFields(json)
        let version = try fields.integer("version", in: .min ... .max)
        guard version == Self.version else { throw .versionMismatch(version) }
        let streamer = try fields.object("streamer")
        let session = try fields.object("session")
        let license = try fields.object("license")
        let id = try streamer.value("id", expected: "1...64 of A-Z a-z 0-9 . _ -") {
            Bounds.identifier.contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isIdentifier) ? $0 : nil
        }
        let heard = try Self.transport(fields.object("transport"))
        self.init(
            streamer: Streamer.ID(id),
            streamerName: try streamer.textIfPresent("name", atMost: Bounds.name.upperBound),
            sessionNumber: try session.integer("number", in: Bounds.sessionNumber),
            sessionTitle: try session.textIfPresent("title", atMost: Bounds.name.upperBound),
            license: FieldOfUse(
                venueName: try license.text("venueName", lengths: Bounds.license),
                contentOwner: try license.text("contentOwner", lengths: Bounds.license),
                appDeveloper: try license.text("appDeveloper", lengths: Bounds.license)),
            kind: try fields.value("kind", expected: "video, data or file", reading: Channel.Kind.init(rawValue:)),
            name: try fields.text("name", lengths: Bounds.name),
            text: try fields.textIfPresent("text", atMost: Bounds.text, mayBreakLines: true),
            bandwidthKbps: Int(try fields.integerIfPresent("bandwidthKbps", in: Bounds.bandwidthKbps) ?? 0),
            transport: heard.transport,
            playoutDelay: try fields.integerIfPresent("playoutDelayMs", in: Bounds.playoutDelayMs)
                .map(Nanoseconds.milliseconds),
            interval: try fields.integerIfPresent("intervalMs", in: Bounds.intervalMs)
                .map(Nanoseconds.milliseconds) ?? Self.usualInterval,
            contentType: try fields.valueIfPresent("contentType", expected: "a media type, type/subtype") {
                Self.isMediaType($0) ? $0 : nil
            })
        unusableRepair = heard.unusable
    }

    private static func isIdentifier(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Whether the text is a media type without parameters (RFC 6838 §4.2), by the schema's pattern.
    private static func isMediaType(_ text: String) -> Bool {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        return Bounds.contentType.contains(text.utf8.count) && halves.count == 2
            && halves.allSatisfy { half in
                !half.isEmpty && half.utf8.allSatisfy { isIdentifier($0) || "!#$&^+".utf8.contains($0) }
            }
    }

    /// The announcement as JSON. It is not validated: code that makes announcements from a configuration decodes one
    /// once to check them.
    public var json: JSONValue {
        var json: JSONValue = [
            "version": .integer(Self.version),
            "streamer": ["id": .string(streamer.text), "name": .string(streamerName)],
            "session": ["number": .integer(sessionNumber), "title": .string(sessionTitle)],
            "license": [
                "venueName": .string(license.venueName), "contentOwner": .string(license.contentOwner),
                "appDeveloper": .string(license.appDeveloper),
            ],
            "kind": .string(kind.rawValue), "name": .string(name), "text": .string(text),
            "bandwidthKbps": .integer(Int64(bandwidthKbps)), "transport": transport.json,
            "intervalMs": .integer(interval.milliseconds),
        ]
        json["playoutDelayMs"] = playoutDelay.map { .integer($0.milliseconds) }
        json["contentType"] = contentType.map(JSONValue.string)
        return json
    }

    /// The body of the SAP packet. Equal announcements have equal bodies.
    public var encoded: [UInt8] { json.octets() }
}
