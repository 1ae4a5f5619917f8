// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Time

/// One line of the audit: who did or tried what, from where, when, and what came of it.
public struct AuditEntry: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A change of the box itself, such as its settings or its tokens.
        case administration
        /// A change of what the box plays.
        case operation
        case refusal
    }
    public enum Outcome: String, Sendable, CaseIterable { case done, failed, refused }

    /// Counts up over restarts.
    public internal(set) var sequence: Int64
    /// When it happened first.
    public let time: WallTime
    /// When it happened last; the same as `time` if it happened once.
    public internal(set) var last: WallTime
    /// How often it happened in a row.
    public internal(set) var count: Int64
    public let origin: String
    public let role: String
    public let name: String
    public let address: String
    public let command: String
    public let arguments: String
    public let outcome: Outcome
    /// Why it failed or was refused, or the revision that it made; empty for neither.
    public let detail: String
    let isAdministration: Bool

    /// Characters of the longest text of each.
    static let textLimit = 200

    init(_ act: Act, sequence: Int64, at time: WallTime) {
        func cut(_ text: String) -> String {
            let scalars = text.unicodeScalars
            return scalars.count <= Self.textLimit ? text : String(scalars.prefix(Self.textLimit - 1)) + "…"
        }
        self.sequence = sequence
        (self.time, last, count) = (time, time, 1)
        (origin, role) = (act.caller.origin.rawValue, act.caller.role?.rawValue ?? "none")
        (name, address) = (cut(act.caller.name ?? ""), cut(act.caller.address ?? ""))
        command = cut(act.command)
        arguments = act.arguments == [:] ? "" : cut(act.arguments.text())
        isAdministration = act.isAdministration
        switch act.outcome {
        case .done(let revision): (outcome, detail) = (.done, revision.map { "revision \($0)" } ?? "")
        case .failed(let why): (outcome, detail) = (.failed, cut(why))
        case .refused(let why): (outcome, detail) = (.refused, cut(why))
        }
    }

    public var kind: Kind { outcome == .refused ? .refusal : isAdministration ? .administration : .operation }

    /// Whether the other one is the same once more.
    func isRepeated(by other: AuditEntry) -> Bool {
        origin == other.origin && role == other.role && name == other.name && address == other.address
            && command == other.command && outcome == other.outcome && detail == other.detail
            && (kind == .refusal || arguments == other.arguments)
    }

    // MARK: The line of the file

    static let lineLimit = 16_384

    private static let texts: [(String, any KeyPath<AuditEntry, String> & Sendable)] = [
        ("origin", \.origin), ("role", \.role), ("name", \.name), ("address", \.address), ("command", \.command),
        ("arguments", \.arguments), ("detail", \.detail),
    ]

    var line: [UInt8] {
        var members: [String: JSONValue] = [
            "sequence": .integer(sequence), "time": .string(time.description), "outcome": .string(outcome.rawValue),
        ]
        if count > 1 { members["count"] = .integer(count) }
        if last != time { members["last"] = .string(last.description) }
        if isAdministration { members["isAdministration"] = true }
        for (key, path) in Self.texts where !self[keyPath: path].isEmpty { members[key] = .string(self[keyPath: path]) }
        return JSONValue.object(members).octets()
    }

    /// nil if it is no line of the audit, such as one that was cut.
    init?(line: [UInt8]) {
        let limits = JSONLimits(maximumDepth: 1, maximumOctets: Self.lineLimit)
        guard let value = try? JSONValue.parse(line, limits: limits),  // a line that was cut is left out
            let sequence = value["sequence"]?.integer, sequence > 0,
            let time = value["time"]?.string.flatMap({ WallTime(rfc3339: $0) }),
            let outcome = value["outcome"]?.string.flatMap({ Outcome(rawValue: $0) })
        else { return nil }
        func text(_ key: String) -> String { value[key]?.string ?? "" }
        self.sequence = sequence
        self.time = time
        last = value["last"]?.string.flatMap { WallTime(rfc3339: $0) } ?? time
        count = max(1, value["count"]?.integer ?? 1)
        (origin, role, name, address) = (text("origin"), text("role"), text("name"), text("address"))
        (command, arguments, detail) = (text("command"), text("arguments"), text("detail"))
        isAdministration = value["isAdministration"] == true
        self.outcome = outcome
    }
}
