// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

extension SignedCommand {
    private static let limits = JSONLimits(maximumDepth: 8, maximumOctets: mostOctets, maximumValues: 128)

    private static let kind = ValueKind.record([
        FieldDescription("groupCommand", .integer(1...1), .required, "Version of the command's form."),
        FieldDescription("target", OrderTarget.kind, .required, "Which boxes the command is for."),
        FieldDescription("sequence", .integer(sequences), .required, "Grows from command to command of a key."),
        FieldDescription("sent", .formatted(.instant), .required, "When it was signed."),
        FieldDescription("at", .formatted(.instant), .optional, "When all boxes carry it out; absent: at once."),
        FieldDescription("expires", .formatted(.instant), .required, "When the command no longer counts."),
        FieldDescription("command", .text(1...32), .required, "Name of the command."),
        FieldDescription("arguments", .anything, .optional, "Of the command: an object."),
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
        guard let sequence = document["sequence"]?.integer, let sent = time("sent"), let expires = time("expires"),
            let command = document["command"]?.string
        else { preconditionFailure("the kind lets nothing pass without them") }
        self.sequence = sequence
        self.sent = sent
        self.expires = expires
        self.command = command
        actAt = time("at")
        let arguments = document["arguments"] ?? [:]
        self.arguments = arguments.isNull ? [:] : arguments
        guard self.arguments.object != nil else {
            throw .invalid([Problem(path: "/arguments", value: arguments, expectation: "an object")])
        }
        try checkTimes(document)
    }

    /// Times are not before 1970, so that their differences are no overflow.
    private func checkTimes(_ document: JSONValue) throws(EnvelopeError) {
        let life = expires.nanoseconds - sent.nanoseconds
        guard (1...Self.longestLife.count).contains(life) else {
            throw .invalid([
                Problem(
                    path: "/expires", value: document["expires"],
                    expectation: "a time after /sent, by \(Self.longestLife.count / 1_000_000_000) s at most")
            ])
        }
        guard let actAt else { return }
        let wait = actAt.nanoseconds - sent.nanoseconds
        guard (0...Self.longestWait.count).contains(wait), actAt < expires else {
            throw .invalid([
                Problem(
                    path: "/at", value: document["at"],
                    expectation:
                        "a time from /sent on, by \(Self.longestWait.count / 1_000_000_000) s at most, before /expires")
            ])
        }
    }

    /// The JSON Schema 2020-12 of a command. It cannot say how its times lie to each other.
    public static var jsonSchema: JSONValue {
        kind.jsonSchema(
            id: "urn:touchline:group-command:1", title: "Group command",
            description: "What a signed envelope has boxes do; config/PUSH.md says what each member does."
        ).merging(patch: [
            "properties": ["target": OrderTarget.schemaPatch, "arguments": ["type": ["object", "null"]]]
        ])
    }
}
