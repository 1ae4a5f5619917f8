// SPDX-License-Identifier: Apache-2.0
import Bytes
import Commands
import JSON
import Shapes
import Signing
import Time

/// The form of the file `access.json`, which has digests and no secrets.
extension Credentials {
    public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
        public let description: String
    }

    static let octetLimit = 64 << 10

    public var octets: [UInt8] {
        var members: [String: JSONValue] = ["access": 1, "tokens": .array(tokens.map(Self.json))]
        members["claim"] = claim.map { ["name": .string($0.name), "time": .string($0.time.description)] }
        return JSONValue.object(members).octets(pretty: true)
    }

    private static func json(_ token: AccessToken) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(token.name), "role": .string(token.role.rawValue),
            "created": .string(token.created.description), "digest": .string(Base64.encode(token.digest.octets)),
        ]
        members["expires"] = token.expires.map { .string($0.description) }
        return .object(members)
    }

    private static let instant = TextFormat("a time such as 2026-11-21T12:00:00Z", schema: [:]) {
        WallTime(rfc3339: $0) != nil
    }
    private static let digest = TextFormat("a digest", schema: [:]) {
        Base64.decode($0)?.count == SecretDigest.octetCount
    }
    private static let kind = ValueKind.record([
        FieldDescription("access", .integer(1...1), .required, "Version of the file's form."),
        FieldDescription(
            "claim",
            .record([
                FieldDescription("name", .text(nameLength), .required, "Whose."),
                FieldDescription("time", .formatted(instant), .required, "When."),
            ]), .optional, "Who claimed the box; absent: nobody has."),
        FieldDescription(
            "tokens",
            .list(
                of: .record([
                    FieldDescription("name", .text(nameLength), .required, "By which it is known."),
                    FieldDescription("role", .choice(Role.allCases.map(\.rawValue)), .required, "What it is for."),
                    FieldDescription("created", .formatted(instant), .required, "When it was made."),
                    FieldDescription("expires", .formatted(instant), .optional, "From when on it is none."),
                    FieldDescription("digest", .formatted(digest), .required, isSecret: true, "Of its text."),
                ]), 0...tokenLimit), .required, "All of them."),
    ])

    /// - Throws: what is wrong with the file. It is never taken for one without tokens: the box could be claimed again.
    public init(parsing octets: [UInt8]) throws {
        let limits = JSONLimits(maximumDepth: 3, maximumOctets: Self.octetLimit)
        let document = try JSONValue.parse(octets, limits: limits)
        if let problem = Self.kind.problems(of: document).first { throw FileError(description: "\(problem)") }
        var names: Set<String> = []
        let tokens = try (document["tokens"]?.array ?? []).map { value in
            guard let token = Self.token(value) else { preconditionFailure("the kind lets nothing pass without them") }
            guard names.insert(token.name).inserted else {
                throw FileError(description: "two tokens have the name \"\(token.name)\"")
            }
            return token
        }
        let claim = document["claim"].flatMap { value in
            Self.time(value["time"]).map { Claim(name: value["name"]?.string ?? "", time: $0) }
        }
        self.init(tokens: tokens, claim: claim)
    }

    private static func time(_ value: JSONValue?) -> WallTime? { value?.string.flatMap { WallTime(rfc3339: $0) } }

    private static func token(_ value: JSONValue) -> AccessToken? {
        guard let name = value["name"]?.string, let role = value["role"]?.string.flatMap({ Role(rawValue: $0) }),
            let created = time(value["created"]),
            let digest = value["digest"]?.string.flatMap({ Base64.decode($0) }).flatMap({ SecretDigest(octets: $0) })
        else { return nil }
        return AccessToken(name: name, role: role, created: created, expires: time(value["expires"]), digest: digest)
    }
}
