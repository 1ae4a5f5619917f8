// SPDX-License-Identifier: Apache-2.0

extension Database {
    /// Brings the tables to the last of some versions. Each step is done whole or not at all, and what a step of an earlier
    /// start did is not done again.
    /// - Parameter steps: the statements that lead from version 0 to 1, from 1 to 2 and so on.
    public func migrate(_ steps: [[String]]) throws(DatabaseError) {
        let version = try query("PRAGMA user_version").first?.first?.integer ?? 0
        guard version <= steps.count else {
            throw DatabaseError(
                description:
                    "the tables are of version \(version); expected at most \(steps.count), which this program knows")
        }
        for (index, statements) in steps.enumerated().dropFirst(Int(version)) {
            try transaction { () throws(DatabaseError) in
                for statement in statements { try execute(statement) }
                try execute("PRAGMA user_version = \(index + 1)")
            }
        }
    }
}
