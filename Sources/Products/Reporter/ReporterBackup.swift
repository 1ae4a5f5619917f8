// SPDX-License-Identifier: Apache-2.0
import Database
import Venue

/// A copy of the reporter's database.
public enum ReporterBackup {
    /// Copies the database as it is now, while a reporter writes it or not.
    /// - Parameter path: of a new file.
    /// - Throws: also if the copy is damaged.
    public static func make(of configuration: ReporterConfiguration, to path: String) throws(Status) {
        do throws(DatabaseError) {
            try Database(configuration.database, .reading).backUp(to: path)
            let defects = try Database(path, .reading).defects()
            guard defects.isEmpty else {
                throw DatabaseError(.damaged, description: defects.joined(separator: "; "))
            }
        } catch {
            throw .failure(.failed, "\(path): \(error)")
        }
    }
}
