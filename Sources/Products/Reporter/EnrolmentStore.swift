// SPDX-License-Identifier: Apache-2.0
import Credentials
import Database
import Enrolling
import JSON
import Shapes

/// What the reporter's database has of boxes that enrolled, and of users. What was written is on the disk.
/// - Thread: the loop's only.
final class EnrolmentStore {
    /// The statements that make the tables. Each record is a JSON document, which has digests and no secrets.
    static let statements =
        [Table.boxes, .pending, .tokens, .clones].map { table in
            "CREATE TABLE \(table.rawValue) (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID"
        } + ["CREATE TABLE users (id INTEGER PRIMARY KEY CHECK (id = 1), document TEXT NOT NULL) STRICT"]

    private enum Table: String {
        case boxes = "enrolledBoxes"
        case pending = "pendingBoxes"
        case tokens = "enrolmentTokens"
        case clones = "cloneSightings"
    }

    private static let limits = JSONLimits(maximumDepth: 6, maximumOctets: 64 << 10, maximumValues: 1_024)

    private let database: Database

    /// - Parameter path: of a database whose tables are there.
    init(_ path: String) throws(DatabaseError) { database = try Database(path, .writing) }

    // MARK: Boxes

    /// Everything, as it was written last.
    func read() throws(DatabaseError) -> Enrolments {
        let clones: [(id: String, record: CloneSightings)] = try rows(.clones)
        return Enrolments(
            boxes: try rows(.boxes).map { $0.record }, pending: try rows(.pending).map { $0.record },
            tokens: try rows(.tokens).map { $0.record },
            clones: Dictionary(clones.map { ($0.id, $0.record) }, uniquingKeysWith: { $1 }))
    }

    private func rows<Kept: Record>(_ table: Table) throws(DatabaseError) -> [(id: String, record: Kept)] {
        var rows: [(id: String, record: Kept)] = []
        for row in try database.query("SELECT id, record FROM \(table.rawValue)") {
            guard let id = row[0].text, let text = row[1].text,
                let document = try? JSONValue.parse(text, limits: Self.limits), Kept.kind.problems(of: document).isEmpty
            else { throw DatabaseError(.damaged, description: "a row of \(table.rawValue) is none of ours") }
            rows.append((id, Kept(reading: document)))
        }
        return rows
    }

    /// Writes what has changed, all of it or nothing.
    func write(_ enrolments: Enrolments, _ touched: Enrolments.Touched) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for id in touched.boxes { try write(enrolments.boxes[id]?.json, id, .boxes) }
            for id in touched.pending { try write(enrolments.pending[id]?.json, id, .pending) }
            for name in touched.tokens { try write(enrolments.tokens[name]?.json, name, .tokens) }
            for id in touched.clones { try write(enrolments.clones[id]?.json, id, .clones) }
        }
    }

    private func write(_ record: JSONValue?, _ id: String, _ table: Table) throws(DatabaseError) {
        guard let record else {
            try database.execute("DELETE FROM \(table.rawValue) WHERE id = ?", [.text(id)])
            return
        }
        try database.execute(
            "INSERT INTO \(table.rawValue) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            [.text(id), .text(record.text())])
    }

    // MARK: Users

    /// The text of the users' tokens; nil if there never was one. Another program may have written it.
    func usersText() throws(DatabaseError) -> String? {
        try database.query("SELECT document FROM users").first?.first?.text
    }

    static func users(_ text: String?) throws(DatabaseError) -> Credentials {
        guard let text else { return Credentials() }
        do {
            return try Credentials(parsing: Array(text.utf8))
        } catch {
            throw DatabaseError(.damaged, description: "the users are none of ours: \(error)")
        }
    }

    /// Changes the users, unless that is refused.
    func changeUsers<Result>(
        _ change: (inout Credentials) throws(Credentials.Refusal) -> Result
    ) throws(DatabaseError) -> Swift.Result<Result, Credentials.Refusal> {
        var result: Swift.Result<Result, Credentials.Refusal>?
        try database.transaction { () throws(DatabaseError) in
            var users = try Self.users(try usersText())
            do throws(Credentials.Refusal) {
                result = .success(try change(&users))
            } catch {
                result = .failure(error)
                return
            }
            try database.execute(
                "INSERT INTO users VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document",
                [.text(String(decoding: users.octets, as: UTF8.self))])
        }
        guard let result else { preconditionFailure("a transaction that ends has carried out its body") }
        return result
    }
}
