// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Database

@Suite final class DatabaseTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-database-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: directory) }  // a leftover in /tmp hurts nobody

    private func open() throws -> Database { try Database(directory.appending(path: "a.db").path) }

    @Test func keepsWhatWasWritten() throws {
        let text = "a 'quoted' \u{e4} \u{1F4FA} text; DROP TABLE rows"
        do {
            let database = try open()
            try database.execute("CREATE TABLE rows (number INTEGER, words TEXT) STRICT")
            try database.execute("INSERT INTO rows VALUES (?, ?)", [.integer(.min), .text(text)])
            try database.execute("INSERT INTO rows VALUES (?, ?)", [.null, .text("")])
        }
        let rows = try open().query("SELECT number, words FROM rows ORDER BY rowid")
        #expect(rows == [[.integer(.min), .text(text)], [.null, .text("")]])
    }

    @Test func aTransactionIsWholeOrNothing() throws {
        let database = try open()
        try database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY) STRICT")
        try database.execute("INSERT INTO rows VALUES (1)")
        #expect(throws: DatabaseError.self) {
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO rows VALUES (2)")
                try database.execute("INSERT INTO rows VALUES (1)")
            }
        }
        #expect(try database.query("SELECT number FROM rows") == [[.integer(1)]])
        try database.transaction { () throws(DatabaseError) in try database.execute("INSERT INTO rows VALUES (3)") }
        #expect(try database.query("SELECT count(*) FROM rows") == [[.integer(2)]])
    }

    @Test func saysWhatIsWrong() throws {
        let database = try open()
        #expect(throws: DatabaseError(description: "no such table: missing")) {
            try database.query("SELECT * FROM missing")
        }
        #expect(throws: DatabaseError.self) { try Database(self.directory.path) }
        let path = directory.appending(path: "b.db").path
        try Data("This is no database, but a text that is long enough to be taken for one. ".utf8).write(
            to: URL(fileURLWithPath: path))
        #expect(throws: DatabaseError.self) { try Database(path) }
    }
}
