// SPDX-License-Identifier: Apache-2.0
import Commands
import Credentials
import Journal
import Signing
import System
import Time
import Venue

/// The people who may ask the reporter, which somebody changes on its machine.
public enum ReporterUsers {
    public enum Action: Equatable, Sendable {
        /// Makes the first administrator.
        case begin(String)
        case add(String, Role, days: Int64?)
        case list
        case remove(String)

        private static let expectation =
            "expected init [NAME], user add NAME --role ROLE [--days N], user list, or user remove NAME"

        /// - Parameters:
        ///   - words: of the command line, without options; at least one.
        ///   - role, days: what stood behind these options.
        init(_ words: [String], _ role: String?, days: String?) throws(Status) {
            let isAdding = words.starts(with: ["user", "add"])
            guard isAdding || role == nil && days == nil else {
                throw .failure(.usage, "--role and --days are for 'user add' alone")
            }
            switch (words.first, words.count) {
            case ("init", 1): self = .begin("administrator")
            case ("init", 2): self = .begin(try Self.name(words[1]))
            case ("user", 2) where words[1] == "list": self = .list
            case ("user", 3) where words[1] == "remove": self = .remove(words[2])
            case ("user", 3) where isAdding:
                let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
                guard let role = role.flatMap({ Role(rawValue: $0) }) else {
                    throw .failure(.usage, "--role is \(role.map { "'\($0)'" } ?? "missing"); expected one of \(roles)")
                }
                self = .add(try Self.name(words[2]), role, days: try Self.days(days))
            default: throw .failure(.usage, "'\(words.joined(separator: " "))': \(Self.expectation)")
            }
        }

        private static func name(_ text: String) throws(Status) -> String {
            let isOrdinary = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard Credentials.nameLength.contains(text.unicodeScalars.count), isOrdinary else {
                throw .failure(.usage, "the name has \(text.unicodeScalars.count) characters; expected 1 to 64")
            }
            return text
        }

        private static func days(_ text: String?) throws(Status) -> Int64? {
            guard let text else { return nil }
            guard let days = Int64(text), (1...3_650).contains(days) else {
                throw .failure(.usage, "--days is '\(text)'; expected an integer of 1...3650")
            }
            return days
        }
    }

    /// - Returns: what is printed: a token, which nobody can ask for again, or the list.
    public static func perform(_ action: Action, _ configuration: ReporterConfiguration) throws(Status) -> String {
        let result: Result<String, Credentials.Refusal>
        do {
            // It makes the tables if they are missing.
            _ = try ReporterStore(configuration.database)
            let store: EnrolmentStore =
                if let postgres = configuration.postgres { try .postgres(postgres) } else {
                    .sqlite(configuration.database)
                }
            let known = KnownCallers(isShared: store.isShared)
            let book = EnrolmentBook(store, known, log: Journal().log(for: "reporter"))
            let (chance, now) = (try SystemRandom.bytes(SecretText.tokenOctets), SystemClock.wall())
            switch action {
            case .list:
                try book.follow()
                return list(known.users, at: now)
            case .begin(let name):
                try book.follow()
                guard known.users.tokens.isEmpty else {
                    throw Status.failure(.failed, "there are users already; others are made by: user add")
                }
                result = try book.changeUsers { (users) throws(Credentials.Refusal) in
                    guard users.tokens.isEmpty else { throw .nameTaken(name) }
                    return try users.create(name, as: .administrator, chance: chance, at: now) + "\n"
                }
            case .add(let name, let role, let days):
                let expires = days.map {
                    WallTime(nanoseconds: now.nanoseconds + Nanoseconds.seconds($0 * 86_400).count)
                }
                result = try book.changeUsers { (users) throws(Credentials.Refusal) in
                    try users.create(name, as: role, expires: expires, chance: chance, at: now) + "\n"
                }
            case .remove(let name):
                result = try book.changeUsers { (users) throws(Credentials.Refusal) in
                    try users.revoke(name)
                    return ""
                }
            }
        } catch let status as Status {
            throw status
        } catch {
            let place = configuration.postgres == nil ? configuration.database : "postgres"
            throw .failure(.failed, "\(place): \(error)")
        }
        switch result {
        case .success(let text): return text
        case .failure(let refusal): throw .failure(.failed, "\(refusal)")
        }
    }

    private static func list(_ users: Credentials, at now: WallTime) -> String {
        users.tokens.sorted { $0.name < $1.name }.map { user in
            let end = user.expires.map { $0 <= now ? "ended \($0)" : "until \($0)" } ?? "for ever"
            return "\(user.name)\t\(user.role.rawValue)\tsince \(user.created)\t\(end)\n"
        }.joined()
    }
}
