// SPDX-License-Identifier: Apache-2.0
internal import CLibSQLite

extension Database {
    /// Whether the file has been removed or renamed since it was opened, so that what is written is found by nobody.
    public var hasMoved: Bool {
        var moved: CInt = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code != SQLITE_OK || moved != 0
    }

    /// What SQLite finds wrong with the file, a sentence each; none: it is intact. It reads the whole file.
    public func defects() throws(DatabaseError) -> [String] {
        let found = try query("PRAGMA integrity_check(100)").compactMap { $0.first?.text }
        return found == ["ok"] ? [] : found
    }

    /// Copies the database as it is at this moment into another file, while other connections go on writing.
    /// - Parameter path: a file that does not exist yet.
    public func backUp(to path: String) throws(DatabaseError) {
        let copy = try Database(path, .creating)
        guard try copy.query("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty else {
            throw DatabaseError(description: "\(path) is a database already; expected a new file")
        }
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.problem(sqlite3_errcode(copy.handle))
        }
        // All pages in one step are of one moment. Nobody who writes waits for a reader of a write-ahead log.
        let code = sqlite3_backup_step(backup, -1)
        let last = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, last == SQLITE_OK else { throw copy.problem(code == SQLITE_DONE ? last : code) }
    }
}
