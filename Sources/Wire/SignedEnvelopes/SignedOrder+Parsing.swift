// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

extension SignedOrder {
    /// Settings may be as deep as a document of settings; the order holds them two levels below its own.
    private static let limits = JSONLimits(maximumDepth: 34, maximumOctets: mostOctets)

    private static let kind = ValueKind.record([
        FieldDescription("order", .integer(1...1), .required, "Version of the order's form."),
        FieldDescription(
            "target",
            .record([
                FieldDescription("box", .text(1...64), .optional, "Id of one box."),
                FieldDescription("group", .text(1...64), .optional, "Name of a group of boxes."),
                FieldDescription("tag", .text(1...64), .optional, "Tag of boxes."),
                FieldDescription("all", .boolean, .optional, "Every box."),
            ]), .required, "Which boxes the order is for."),
        FieldDescription("revision", .integer(revisions), .required, "Grows from order to order."),
        FieldDescription("base", .integer(revisions), .optional, "The order that has to be in force."),
        FieldDescription("notBefore", .formatted(.instant), .optional, "When the order begins to count."),
        FieldDescription("expires", .formatted(.instant), .required, "When the order no longer counts."),
        FieldDescription("confirmWithinS", .integer(confirmations), .optional, "Time to confirm."),
        FieldDescription("comment", .text(0...256), .optional, "For people."),
        FieldDescription(
            "settings",
            .record([
                FieldDescription("merge", .anything, .optional, "A patch."),
                FieldDescription("replace", .anything, .optional, "A whole document."),
            ]), .required, "How the settings change."),
    ])

    /// Reads the payload of an envelope.
    public init(payload: [UInt8]) throws(EnvelopeError) {
        guard payload.count <= Self.mostOctets else {
            throw .tooLong(octets: payload.count, limit: Self.mostOctets)
        }
        let document: JSONValue
        do {
            document = try JSONValue.parse(payload, limits: Self.limits)
        } catch {
            throw .notJSON(error)
        }
        try self.init(document)
    }

    /// - Throws: `.invalid` with all problems.
    init(_ document: JSONValue) throws(EnvelopeError) {
        let problems = Self.kind.problems(of: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        func time(_ name: String) -> WallTime? { document[name]?.string.flatMap { WallTime(rfc3339: $0) } }
        target = try Self.target(document["target"] ?? .null)
        change = try Self.change(document["settings"] ?? .null)
        guard let revision = document["revision"]?.integer, let expires = time("expires") else {
            preconditionFailure("the kind lets nothing pass without them")
        }
        self.revision = revision
        self.expires = expires
        base = document["base"]?.integer
        notBefore = time("notBefore")
        confirmWithin = document["confirmWithinS"]?.integer
        comment = document["comment"]?.string
        if let notBefore, notBefore >= expires {
            throw .invalid([
                Problem(path: "/expires", value: document["expires"], expectation: "a time after /notBefore")
            ])
        }
    }

    private static func target(_ document: JSONValue) throws(EnvelopeError) -> OrderTarget {
        let given = (document.object ?? [:]).filter { !$0.value.isNull }
        let text = given.first?.value.string
        switch (given.count, given.keys.first) {
        case (1, "box"): return .box(text ?? "")
        case (1, "group"): return .group(text ?? "")
        case (1, "tag"): return .tag(text ?? "")
        case (1, "all") where given["all"] == true: return .all
        case (1, "all"): throw .invalid([Problem(path: "/target/all", value: false, expectation: "true")])
        default:
            throw .invalid([Problem(path: "/target", value: document, expectation: "one of all, box, group and tag")])
        }
    }

    private static func change(_ document: JSONValue) throws(EnvelopeError) -> Change {
        let given = (document.object ?? [:]).filter { !$0.value.isNull }
        guard given.count == 1, let (name, value) = given.first else {
            throw .invalid([Problem(path: "/settings", value: document, expectation: "either merge or replace")])
        }
        guard value.object != nil else {
            throw .invalid([Problem(path: "/settings/\(name)", value: value, expectation: "an object")])
        }
        return name == "merge" ? .merge(value) : .replace(value)
    }
}

extension TextFormat {
    /// A time that a person may have written.
    public static let instant = TextFormat(
        "a time like 2026-11-21T01:02:03Z",
        schema: [
            "maxLength": 63,
            "pattern":
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
        ]
    ) { WallTime(rfc3339: $0) != nil }
}
