// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a box of a synchronised group says of itself, once in a while and when it changes, to all others. The leader's
/// server of CSS-CII is where the others find wall clock and timeline.
///
///     {"group":"lobby","box":"4c0e…","isAppointed":false,"leads":true,"era":"4c0e…:81","ciiUrl":"ws://…/cii","refused":[]}
public struct GroupAnnouncement: Hashable, Sendable {
    /// Octets of the longest text that is read.
    public static let mostOctets = 16_384
    /// Octets of the name of a group, of a box and of an era.
    public static let mostNameOctets = 128
    public static let mostRefused = 64

    public let group: String
    /// Of the box that says this.
    public let box: String
    /// Whether settings make this box the leader.
    public let isAppointed: Bool
    public let leads: Bool
    /// Names the wall clock and the timeline that the box is locked to. The name outlives a leader whose successor goes
    /// on as it was. Nil if the box is locked to none.
    public let era: String?
    /// The box's own server.
    public let ciiURL: WebSocketURL
    /// Boxes whose clock this one found broken.
    public let refused: [String]

    /// - Parameters:
    ///   - group: like `box` and `era` at most 128 octets, without control characters.
    ///   - refused: at most 64.
    public init(
        group: String, box: String, isAppointed: Bool, leads: Bool, era: String?, ciiURL: WebSocketURL,
        refused: [String]
    ) {
        self.group = group
        self.box = box
        self.isAppointed = isAppointed
        self.leads = leads
        self.era = era
        self.ciiURL = ciiURL
        self.refused = refused
    }

    /// - Throws: `CompanionMessageError` for the first property that is missing or wrong.
    public init(parsing text: [UInt8]) throws(CompanionMessageError) {
        let fields = try MessageFields(parsing: text, mostOctets: Self.mostOctets)
        func flag(_ name: String) throws(CompanionMessageError) -> Bool {
            try fields.required(name, expected: "true or false") { $0.bool }
        }
        self.init(
            group: try fields.text("group", atMost: Self.mostNameOctets),
            box: try fields.text("box", atMost: Self.mostNameOctets),
            isAppointed: try flag("isAppointed"), leads: try flag("leads"),
            era: try fields.textProperty("era", atMost: Self.mostNameOctets).value,
            ciiURL: try fields.required("ciiUrl", expected: "ws://host") { value in
                value.string.flatMap { WebSocketURL($0) }
            },
            refused: try fields.required("refused", expected: "a list of at most \(Self.mostRefused) boxes") { value in
                Self.boxes(value)
            })
    }

    private static func boxes(_ value: JSONValue) -> [String]? {
        guard let values = value.array, values.count <= mostRefused else { return nil }
        let names = values.compactMap { MessageFields.text($0, atMost: mostNameOctets) }
        return names.count == values.count ? names : nil
    }

    /// The text of the message in UTF-8.
    public var octets: [UInt8] {
        var text = MessageText()
        text.add("group", .string(group))
        text.add("box", .string(box))
        text.add("isAppointed", .bool(isAppointed))
        text.add("leads", .bool(leads))
        text.add("era", era.map { .string($0) } ?? .null)
        text.add("ciiUrl", .string(ciiURL.description))
        text.add("refused", .array(refused.map { .string($0) }))
        return text.octets
    }
}
