// SPDX-License-Identifier: Apache-2.0

extension ClusterConnection {
    /// Brings tables to the last of some versions, one program at a time. What an earlier start did is not done again.
    /// - Parameters:
    ///   - steps: the statements that lead from version 0 to 1, from 1 to 2 and so on.
    ///   - table: which has the version.
    ///   - lock: number of the lock of the whole database that is held while it is done.
    /// - Throws: `.other` if a later program made the tables.
    public func migrate(_ steps: [[String]], of table: String, lock: Int64) throws(ClusterError) {
        guard try version(in: table) != steps.count else { return }
        try transaction { () throws(ClusterError) in
            try execute("SELECT pg_advisory_xact_lock($1)", [.integer(lock)])
            try run("CREATE TABLE IF NOT EXISTS \(table) (version bigint NOT NULL)")
            let found = try version(in: table)
            guard found <= steps.count else {
                throw ClusterError(
                    .other,
                    "the tables are of version \(found); expected at most \(steps.count), which this program knows")
            }
            for statement in steps.dropFirst(found).joined() { try run(statement) }
            try run("DELETE FROM \(table); INSERT INTO \(table) VALUES (\(steps.count))")
        }
    }

    /// 0 if there are no tables.
    private func version(in table: String) throws(ClusterError) -> Int {
        guard try query("SELECT to_regclass('\(table)')").first?.first ?? nil != nil else { return 0 }
        let row = try query("SELECT version FROM \(table)").first
        return row?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
    }
}
