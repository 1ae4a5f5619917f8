// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

extension SignedOrder {
    /// Settings may be as deep as a document of settings; the order holds them two levels below its own.
    private static let limits = JSONLimits(maximumDepth: 34, maximumOctets: mostOctets)

    private static let kind = ValueKind.record([
        FieldDescription("order", .integer(1...1), .required, "Version of the order's form."),
        FieldDescription("target", OrderTarget.kind, .required, "Which boxes the order is for."),
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
        try self.init(EnvelopeError.document(payload, within: Self.limits))
    }

    /// - Throws: `.invalid` with all problems.
    init(_ document: JSONValue) throws(EnvelopeError) {
        let problems = Self.kind.problems(of: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        func time(_ name: String) -> WallTime? { document[name]?.string.flatMap { WallTime(rfc3339: $0) } }
        target = try OrderTarget(document["target"] ?? .null)
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

extension SignedOrder {
    /// The JSON Schema 2020-12 of an order. It cannot say that `expires` is behind `notBefore`.
    public static var jsonSchema: JSONValue {
        let settings: JSONValue = [
            "oneOf": EnvelopeSchema.exactlyOne(of: ["merge", "replace"]),
            "properties": ["merge": ["type": ["object", "null"]], "replace": ["type": ["object", "null"]]],
        ]
        return kind.jsonSchema(
            id: "urn:touchline:order:1", title: "Order",
            description: "What a signed envelope orders boxes to change; config/PUSH.md says what each member does."
        ).merging(patch: ["properties": ["target": OrderTarget.schemaPatch, "settings": settings]])
    }
}
