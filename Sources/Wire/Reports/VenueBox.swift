// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

/// What a venue's reporter tells a region of one of its boxes: how it was when it was heard last.
public struct VenueBox: Equatable, Sendable {
    /// Characters of a text, but of `box`.
    private static let mostCharacters = 256

    /// 1 to 64 characters.
    public let box: String
    /// When the box was heard, by the clock of the venue's reporter.
    public var heard: WallTime
    public var name: String?
    public var group: String?
    public var version: String?
    /// `up`, `down` …; nil if the box did not tell.
    public var state: String?
    /// Why it is not up.
    public var reasons: [String] = []
    /// Name of the access point, or its address if it has no name.
    public var accessPoint: String?
    /// 0 not associated, 1 poor … 10 excellent; nil without a radio.
    public var linkIndicator: Int64?
    public var signalDbm: Int64?
    /// What came over all access points in what the state covers, and what did not.
    public var packets: Int64?
    public var lost: Int64?

    public init(_ box: String, heard: WallTime) { (self.box, self.heard) = (box, heard) }

    /// Takes what a region needs from the text of a box's state.
    /// - Parameter document: a report, whose sections may have members of any form.
    public init(_ box: String, heard: WallTime, state document: JSONValue) {
        self.init(box, heard: heard)
        name = Self.text(document.at("/identity/name"))
        group = Self.text(document.at("/identity/group"))
        version = Self.text(document.at("/identity/version"))
        state = Self.text(document.at("/service/state"), 64)
        reasons = (document.at("/service/reasons")?.array ?? []).prefix(32).compactMap { Self.text($0, 64) }
        if let radio = document["wifi"]?.array?.first(where: { $0["linkIndicator"]?.integer != nil }) {
            linkIndicator = radio["linkIndicator"]?.integer.map { max(0, min(10, $0)) }
            signalDbm = radio["signalDbm"]?.integer.flatMap { (-200...100).contains($0) ? $0 : nil }
            accessPoint = Self.text(radio["accessPoint"]) ?? Self.text(radio["bssid"], 64)
        }
        guard let air = document["accessPoints"]?.array, !air.isEmpty else { return }
        func sum(_ name: String) -> Int64 {
            air.prefix(64).reduce(0) { $0 + max(0, min(1 << 40, $1[name]?.integer ?? 0)) }
        }
        (packets, lost) = (sum("packets"), sum("lost"))
    }

    /// A text as the form has it: without control characters, and not longer than it may be. nil if it is none, or empty.
    private static func text(_ value: JSONValue?, _ most: Int = mostCharacters) -> String? {
        guard let text = value?.string, !text.isEmpty else { return nil }
        let scalars = text.unicodeScalars
        guard scalars.count > most || scalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return text
        }
        let kept = scalars.lazy.filter { $0.properties.generalCategory != .control }.prefix(most)
        return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
    }

    // MARK: JSON

    static let kind = ValueKind.record([
        FieldDescription("box", .text(1...64), .required, "Id of the box."),
        FieldDescription("heard", .formatted(.instant), .required, "When the venue's reporter heard it."),
        FieldDescription("name", .text(0...mostCharacters), .optional, "Name of the box."),
        FieldDescription("group", .text(0...mostCharacters), .optional, "Group of the box."),
        FieldDescription("version", .text(0...mostCharacters), .optional, "What it runs."),
        FieldDescription("state", .text(1...64), .optional, "State of the service."),
        FieldDescription("reasons", .list(of: .text(1...64), 0...32), .optional, "Why it is not up."),
        FieldDescription("accessPoint", .text(0...mostCharacters), .optional, "Where it is associated."),
        FieldDescription("linkIndicator", .integer(0...10), .optional, "How it is heard."),
        FieldDescription("signalDbm", .integer(-200...100), .optional, "How it hears the access point."),
        FieldDescription("packets", .integer(0...Int64.max), .optional, "What came over access points."),
        FieldDescription("lost", .integer(0...Int64.max), .optional, "What did not, after repair."),
    ])

    /// - Parameter value: as `kind` has it; nil if it has no id or no time.
    init?(reading value: JSONValue) {
        guard let box = value["box"]?.string, let heard = value["heard"]?.string.flatMap({ WallTime(rfc3339: $0) })
        else { return nil }
        // As it is written again: with milliseconds.
        self.init(box, heard: WallTime(nanoseconds: heard.nanoseconds / 1_000_000 * 1_000_000))
        name = value["name"]?.string
        group = value["group"]?.string
        version = value["version"]?.string
        state = value["state"]?.string
        reasons = (value["reasons"]?.array ?? []).compactMap(\.string)
        accessPoint = value["accessPoint"]?.string
        linkIndicator = value["linkIndicator"]?.integer
        signalDbm = value["signalDbm"]?.integer
        packets = value["packets"]?.integer
        lost = value["lost"]?.integer
    }

    public var json: JSONValue {
        var members: [String: JSONValue] = ["box": .string(box), "heard": .string(heard.description)]
        members["name"] = name.map { .string($0) }
        members["group"] = group.map { .string($0) }
        members["version"] = version.map { .string($0) }
        members["state"] = state.map { .string($0) }
        if !reasons.isEmpty { members["reasons"] = .array(reasons.map { .string($0) }) }
        members["accessPoint"] = accessPoint.map { .string($0) }
        members["linkIndicator"] = linkIndicator.map { .integer($0) }
        members["signalDbm"] = signalDbm.map { .integer($0) }
        members["packets"] = packets.map { .integer($0) }
        members["lost"] = lost.map { .integer($0) }
        return .object(members)
    }

    /// An upper bound of the octets of `json`.
    var mostOctets: Int {
        let texts = [name, group, version, state, accessPoint].compactMap { $0 } + reasons
        // Names of the members and numbers; a quotation mark is two octets of JSON.
        return 260 + 2 * box.utf8.count + texts.reduce(0) { $0 + 4 + 2 * $1.utf8.count }
    }
}
