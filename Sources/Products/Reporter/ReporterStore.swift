// SPDX-License-Identifier: Apache-2.0
import Collecting
import Database
import JSON
import Provisioning
import SignedEnvelopes
import Time

/// What the reporter's database has of settings: reports of them, and roll-outs. What was written is on the disk.
final class ReporterStore {
    private let database: Database
    /// The roll-outs as they were written last.
    private var written: [Int64: Rollout] = [:]

    /// The statements of each version of the tables. Version 1 was made without saying so.
    static let versions = [
        settings, SQLiteReportTables.statements, SQLiteReportTables.alertStatements, SQLiteVenueTables.statements,
        EnrolmentStore.sqliteStatements,
    ]

    private static let settings = [
        """
        CREATE TABLE IF NOT EXISTS boxes (
            id TEXT PRIMARY KEY, heard INTEGER NOT NULL, report TEXT NOT NULL) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS rollouts (
            number INTEGER PRIMARY KEY, tag TEXT NOT NULL, envelope TEXT NOT NULL, waves TEXT NOT NULL,
            mostFailures INTEGER NOT NULL, patienceS INTEGER NOT NULL, known INTEGER NOT NULL, begun INTEGER NOT NULL,
            state TEXT NOT NULL, why TEXT) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS outcomes (
            rollout INTEGER NOT NULL REFERENCES rollouts(number) ON DELETE CASCADE, box TEXT NOT NULL,
            place INTEGER NOT NULL, outcome TEXT NOT NULL, time INTEGER, why TEXT, PRIMARY KEY (rollout, box)) STRICT
        """,
    ]

    init(_ path: String) throws(DatabaseError) {
        database = try Database(path)
        try database.migrate(Self.versions)
    }

    // MARK: Reading

    /// Everything, as it was written last; the envelopes by the numbers of their roll-outs.
    func read() throws(DatabaseError) -> (state: DesiredState, envelopes: [Int64: String]) {
        var boxes: [String: DesiredState.Box] = [:]
        for row in try database.query("SELECT id, heard, report FROM boxes") {
            guard let id = row[0].text, let heard = row[1].integer, let text = row[2].text,
                let report = SettingsReport(text: text), report.box == id
            else { throw DatabaseError(description: "a row of boxes is none of ours") }
            boxes[id] = .init(report, heard: WallTime(nanoseconds: heard))
        }
        var envelopes: [Int64: String] = [:]
        var rollouts: [Rollout] = []
        let columns = "number, tag, envelope, waves, mostFailures, patienceS, known, begun, state, why"
        for row in try database.query("SELECT \(columns) FROM rollouts ORDER BY number") {
            guard let number = row[0].integer, let envelope = row[2].text,
                let rollout = try rollout(number, row, SignedOrder(envelopeText: envelope))
            else { throw DatabaseError(description: "a row of rollouts is none of ours") }
            envelopes[number] = envelope
            written[number] = rollout
            rollouts.append(rollout)
        }
        return (DesiredState(boxes: boxes, rollouts: rollouts), envelopes)
    }

    private func rollout(
        _ number: Int64, _ row: [Database.Value], _ order: SignedOrder?
    ) throws(DatabaseError) -> Rollout? {
        guard let order, let tag = row[1].text, let waves = row[3].text.flatMap({ [Rollout.Wave](text: $0) }),
            let most = row[4].integer, let patience = row[5].integer, let known = row[6].integer,
            let begun = row[7].integer, let state = row[8].text.flatMap({ Rollout.State($0, why: row[9].text) })
        else { return nil }
        var terms = Rollout.Terms()
        (terms.waves, terms.mostFailures, terms.patience) = (waves, Int(most), .seconds(patience))
        var boxes: [String] = []
        var outcomes: [String: Rollout.Outcome] = [:]
        let columns = "box, outcome, time, why"
        for row in try database.query(
            "SELECT \(columns) FROM outcomes WHERE rollout = ? ORDER BY place", [.integer(number)])
        {
            guard let box = row[0].text,
                let outcome = row[1].text.flatMap({ Rollout.Outcome($0, row[2].integer, why: row[3].text) })
            else { return nil }
            boxes.append(box)
            outcomes[box] = outcome
        }
        return Rollout(
            number: number, order, tag: tag, terms: terms, boxes: boxes, known: Int(known), begun: Int(begun),
            state: state, outcomes: outcomes)
    }

    // MARK: Writing

    /// Writes what has changed, all of it or nothing.
    /// - Parameters:
    ///   - box: whose report came; nil if none did.
    ///   - numbers: of the roll-outs that changed.
    ///   - envelope: of the roll-out that began; nil if none did.
    func write(
        _ state: DesiredState, box: String?, rollouts numbers: [Int64], envelope: String? = nil
    ) throws(DatabaseError) {
        let changed = state.rollouts.filter { numbers.contains($0.number) }
        try database.transaction { () throws(DatabaseError) in
            if let box, let kept = state.boxes[box] {
                try database.execute(
                    """
                    INSERT INTO boxes VALUES (?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET heard = excluded.heard, report = excluded.report
                    """,
                    [.text(box), .integer(kept.heard.nanoseconds), .text(kept.report.json.text())])
            }
            for rollout in changed { try write(rollout, envelope) }
            if let oldest = state.rollouts.first?.number {
                try database.execute("DELETE FROM rollouts WHERE number < ?", [.integer(oldest)])
            }
        }
        for rollout in changed { written[rollout.number] = rollout }
    }

    private func write(_ rollout: Rollout, _ envelope: String?) throws(DatabaseError) {
        let number = Database.Value.integer(rollout.number)
        let (state, why) = rollout.state.columns
        if let before = written[rollout.number] {
            try database.execute(
                "UPDATE rollouts SET begun = ?, state = ?, why = ? WHERE number = ?",
                [.integer(Int64(rollout.begun)), state, why, number])
            for (place, box) in rollout.boxes.enumerated() where rollout.outcomes[box] != before.outcomes[box] {
                try write(box, at: place, of: rollout)
            }
        } else {
            let terms = rollout.terms
            try database.execute(
                "INSERT INTO rollouts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    number, .text(rollout.tag), .text(envelope ?? ""), .text(terms.waves.json.text()),
                    .integer(Int64(terms.mostFailures)), .integer(terms.patience.seconds),
                    .integer(Int64(rollout.knownAtTheBeginning)), .integer(Int64(rollout.begun)), state, why,
                ])
            for (place, box) in rollout.boxes.enumerated() { try write(box, at: place, of: rollout) }
        }
    }

    private func write(_ box: String, at place: Int, of rollout: Rollout) throws(DatabaseError) {
        let (outcome, time, why) = (rollout.outcomes[box] ?? .waits).columns
        try database.execute(
            """
            INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (rollout, box) DO UPDATE SET outcome = excluded.outcome, time = excluded.time, why = excluded.why
            """,
            [.integer(rollout.number), .text(box), .integer(Int64(place)), outcome, time, why])
    }
}
