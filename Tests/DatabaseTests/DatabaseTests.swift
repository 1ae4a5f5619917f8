// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Database

@Suite final class DatabaseTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-database-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: directory) }  // a leftover in /tmp hurts nobody

    private var path: String { directory.appending(path: "a.db").path }

    private func open() throws -> Database { try Database(path) }

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

    @Test func keepsOctetsAndCountsChanges() throws {
        let database = try open()
        try database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, what BLOB) STRICT")
        for octets in [[], [0, 255, 0], Array(repeating: 7, count: 100_000)] as [[UInt8]] {
            try database.execute("INSERT INTO rows (what) VALUES (?)", [.octets(octets)])
            let rows = try database.query("SELECT what FROM rows WHERE number = ?", [.integer(database.lastRow)])
            #expect(rows == [[.octets(octets)]])
        }
        try database.execute("DELETE FROM rows WHERE number < 3")
        #expect(database.changes == 2)
    }

    /// A kept statement serves again: with other values, after an error, and after its table has been made anew.
    @Test func statementsAreUsedAgain() throws {
        let database = try open()
        for _ in 0..<2 {
            try database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY) STRICT")
            for number in 0..<300 as Range<Int64> {
                try database.execute("INSERT INTO rows VALUES (?)", [.integer(number)])
                #expect(throws: DatabaseError.self) {
                    try database.execute("INSERT INTO rows VALUES (?)", [.integer(number)])
                }
                #expect(try database.query("SELECT \(number)").count == 1)
            }
            #expect(try database.query("SELECT count(*) FROM rows") == [[.integer(300)]])
            try database.execute("DROP TABLE rows")
        }
    }

    @Test func readersSeeWhatIsCommitted() throws {
        let database = try open()
        try database.execute("CREATE TABLE rows (number INTEGER) STRICT")
        let reader = try Database(path, .reading)
        try database.execute("BEGIN IMMEDIATE")
        try database.execute("INSERT INTO rows VALUES (1)")
        #expect(try reader.query("SELECT * FROM rows").isEmpty)
        try database.execute("COMMIT")
        #expect(try reader.query("SELECT * FROM rows").count == 1)
        let refused = thrown(DatabaseError.self) { try reader.execute("INSERT INTO rows VALUES (2)") }
        #expect(refused?.kind == .readOnly)
    }

    @Test func tellsKindsOfTroubleApart() throws {
        let missing = directory.appending(path: "missing.db").path
        #expect(thrown(DatabaseError.self) { try Database(missing, .writing) }?.kind == .gone)
        #expect(thrown(DatabaseError.self) { try Database(missing, .reading) }?.kind == .gone)
        let database = try open()
        try database.execute("CREATE TABLE rows (what BLOB) STRICT")
        try database.execute("PRAGMA max_page_count = 10")
        let large = Database.Value.octets(Array(repeating: 1, count: 1 << 20))
        let full = thrown(DatabaseError.self) {
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO rows VALUES (?)", [large])
            }
        }
        #expect(full?.kind == .full)
        try database.execute("PRAGMA max_page_count = 100000")
        try database.execute("INSERT INTO rows VALUES (?)", [large])
        let other = try open()
        try other.execute("PRAGMA busy_timeout = 1")
        try database.execute("BEGIN IMMEDIATE")
        #expect(thrown(DatabaseError.self) { try other.execute("BEGIN IMMEDIATE") }?.kind == .busy)
        try database.execute("COMMIT")
        #expect(thrown(DatabaseError.self) { try database.query("SELECT * FROM nowhere") }?.kind == .other)
    }

    @Test func noticesThatItsFileIsGone() throws {
        let database = try open()
        try database.execute("CREATE TABLE rows (number INTEGER) STRICT")
        #expect(!database.hasMoved)
        try FileManager.default.removeItem(atPath: path)
        #expect(database.hasMoved)
    }

    @Test func copiesItselfWhileItIsWritten() throws {
        let database = try open()
        try database.execute("CREATE TABLE rows (number INTEGER) STRICT")
        try database.execute("INSERT INTO rows VALUES (1)")
        let copy = directory.appending(path: "copy.db").path
        try Database(path, .reading).backUp(to: copy)
        try database.execute("INSERT INTO rows VALUES (2)")
        let read = try Database(copy, .reading)
        #expect(try read.query("SELECT number FROM rows") == [[.integer(1)]])
        #expect(try read.defects().isEmpty && database.defects().isEmpty)
        #expect(throws: DatabaseError.self) { try database.backUp(to: copy) }
    }

    @Test func seesDamage() throws {
        do {
            let database = try open()
            try database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, words TEXT) STRICT")
            try database.execute("CREATE INDEX words ON rows (words)")
            for number in 0..<500 as Range<Int64> {
                try database.execute("INSERT INTO rows VALUES (?, ?)", [.integer(number), .text("word \(number)")])
            }
            _ = try database.query("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 2 * 4_096 + 100)
        file.write(Data(repeating: 0x5a, count: 6_000))
        try file.close()
        let found = Result { try Database(self.path, .reading).defects() }
        switch found {
        case .success(let defects): #expect(!defects.isEmpty)
        case .failure(let error): #expect((error as? DatabaseError)?.kind == .damaged)
        }
    }
}
