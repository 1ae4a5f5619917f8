// SPDX-License-Identifier: Apache-2.0
import Collecting
import Commands
import Database
import Enrolling
import Foundation
import TestSupport
import Testing
import Time
import Venue

@testable import Reporter

/// What is kept of boxes and users, in each kind of store, by one reporter and by several.
@Suite struct EnrolmentStoreTests {
    /// Each is seen again by the next reporter: what was answered is on the disk.
    @Test(arguments: EnrolmentPlaceKind.allCases) func whatWasAnsweredOutlivesTheReporter(kind: EnrolmentPlaceKind)
        throws
    {
        let place = try EnrolmentPlace(kind)
        func next() throws -> EnrolmentScene { try EnrolmentScene(place.store) }
        guard case .pending = try next().enrol("b-1", 1) else { return #expect(Bool(false)) }
        try next().approve("b-1")
        #expect(try next().book.enrolments.boxes["b-1"]?.state == .approved)
        let old = try next().issue("b-1", 1)
        #expect(try next().send("b-1", old) == 200)
        let new = try next().issue("b-1", 1)
        for _ in 0..<2 { #expect(try next().send("b-1", new) == 200) }
        #expect(try next().send("b-1", old) == 401)
        guard case .pending = try next().enrol("b-1", 2) else { return #expect(Bool(false)) }
        #expect(try next().book.enrolments.clones["b-1"]?.sightings.first?.kind == .key)
        try next().revoke("b-1")
        #expect(try next().send("b-1", new) == 403)
        // The digests alone are in the file.
        for end in ["", "-wal"] {
            let file = FileManager.default.contents(atPath: place.configuration.database + end) ?? Data()
            #expect(file.range(of: Data(new.utf8)) == nil && file.range(of: Data(old.utf8)) == nil)
        }
    }

    @Test(arguments: EnrolmentPlaceKind.allCases) func reportersHeedEachOther(kind: EnrolmentPlaceKind) throws {
        let place = try EnrolmentPlace(kind)
        let (one, other) = (try EnrolmentScene(place.store), try EnrolmentScene(place.store))
        let token = try one.token("t", uses: 1)
        let credential = try one.issue("b-1", 1, token: token)
        // Who writes knows everything before; who only reads knows it after reading.
        guard case .pending(let each, _) = try other.enrol("b-2", 2, token: token) else {
            return #expect(Bool(false))
        }
        #expect(each.why == "its token \"t\" has been used up")
        #expect(other.send("b-1", credential) == 200 && one.book.enrolments.pending.isEmpty)
        try one.book.follow()
        let (known, same) = (one.book.enrolments, other.book.enrolments)
        #expect(known.boxes == same.boxes && known.pending == same.pending && known.tokens == same.tokens)

        try one.revoke("b-1")
        #expect(one.send("b-1", credential) == 403)
        #expect(other.send("b-1", credential) == 200)
        try other.book.follow()
        #expect(other.send("b-1", credential) == 403)
        // What is gone is gone at the other, too, and is decided once.
        let refused = other
        try one.approve("b-2")
        #expect(throws: (any Error).self) { try refused.approve("b-2") }
        try one.decide { (all) throws(Enrolments.Refusal) in try all.deleteToken("t") }
        try other.book.follow()
        #expect(other.book.enrolments.tokens.isEmpty && other.book.enrolments.pending.isEmpty)
        // A credential that was used at one ends the one before at the other.
        let first = try other.issue("b-2", 2)
        #expect(other.send("b-2", first) == 200)
        let second = try one.issue("b-2", 2)
        #expect(one.send("b-2", second) == 200)
        try other.book.follow()
        #expect(other.send("b-2", first) == 401 && other.send("b-2", second) == 200)
    }

    /// Reporters that write at the same time give a token no use too many, and lose nothing of each other.
    @Test(arguments: EnrolmentPlaceKind.allCases) func reportersWriteAtOnce(kind: EnrolmentPlaceKind) async throws {
        let place = try EnrolmentPlace(kind)
        let token = try EnrolmentScene(place.store).token("t", uses: 10)
        let store = place.store
        let issued = try await withThrowingTaskGroup(of: Int.self) { group in
            for reporter in 0..<4 {
                group.addTask {
                    let scene = try EnrolmentScene(store)
                    var issued = 0
                    for box in 0..<8 {
                        let key = UInt8(reporter * 8 + box + 1)
                        if case .issued = try scene.enrol("b-\(reporter)-\(box)", key, token: token) { issued += 1 }
                    }
                    return issued
                }
            }
            return try await group.reduce(0, +)
        }
        let all = try EnrolmentScene(store).book.enrolments
        #expect(issued == 10 && all.boxes.count == 10 && all.pending.count == 22 && all.tokens["t"]?.usesLeft == 0)
    }

    @Test(arguments: EnrolmentPlaceKind.allCases) func theFirstAdministratorIsMadeOnce(kind: EnrolmentPlaceKind) throws
    {
        let place = try EnrolmentPlace(kind)
        let scene = try EnrolmentScene(place.store)
        let token = try place.perform(.begin("anna"))
        #expect(token.hasPrefix("tl-"))
        for action in [ReporterUsers.Action.begin("bob"), .add("anna", .viewer, days: nil), .remove("bob")] {
            #expect(throws: Status.self, "\(action)") { try place.perform(action) }
        }
        #expect(try place.perform(.list).hasPrefix("anna\tadministrator\tsince "))
        let request = EnrolmentScene.request(.get, "/v1/boxes", token)
        #expect(scene.code(request) == 401)
        try scene.book.follow()
        #expect(scene.code(request) == 200)
        _ = try place.perform(.remove("anna"))
        try scene.book.follow()
        #expect(scene.code(request) == 401)
        #expect(try place.perform(.list).isEmpty)
        _ = try place.perform(.begin("bob"))
    }

    @Test func whoHasNotReadForLongReadsAll() {
        var asked: [Int64] = []
        func changes(after: Int64, _ number: Int64) -> EnrolmentChanges {
            asked = []
            return EnrolmentTable.changes(after: after) { (after) throws(Never) in
                asked.append(after)
                return [EnrolmentRow(kind: EnrolmentRow.counter, id: "", text: "", change: number)]
            }
        }
        #expect(!changes(after: 5, 5).isWhole && asked == [5])
        #expect(!changes(after: 5, 5 + EnrolmentTable.keptChanges - 1).isWhole && asked.count == 1)
        // Rows that say that something is gone may have been thrown away; a host may have been restored.
        for number in [5 + EnrolmentTable.keptChanges, 4] {
            #expect(changes(after: 5, number).isWhole && asked == [5, -1])
        }
        #expect(changes(after: -1, 5).isWhole && asked == [-1])
    }

    /// What the store may or may not have done is not known before it is read again.
    @Test func anUnconfirmedChangeCountsOnceItIsRead() throws {
        let place = try EnrolmentPlace(.sqlite)
        let open = place.store.open
        let failing = EnrolmentStore(isShared: true) { () throws(StoreError) in
            let real = try open()
            return EnrolmentConnection(
                changes: real.changes,
                write: { (after, rows) throws(StoreError) in
                    _ = try real.write(after, rows)
                    throw StoreError(.gone, "the standbys do not answer")
                })
        }
        let scene = try EnrolmentScene(failing)
        do throws(ReporterRefusal) {
            try scene.book.commit { (all) throws(ReporterRefusal) in
                all.noteClone(of: "b", .key, "k", at: EnrolmentScene.now)
            }
            Issue.record("taken")
        } catch {
            #expect(error.code == 503 && error.retryAfter == 3)
        }
        #expect(scene.book.enrolments.clones.isEmpty)
        try scene.book.follow()
        #expect(scene.book.enrolments.clones["b"] != nil)
    }

    /// A reporter that cannot read what others revoke takes nobody's word before long.
    @Test func whoIsKnownIsForgottenWithoutTheStore() throws {
        let place = try EnrolmentPlace(.sqlite)
        let credential: String
        do {
            let scene = try EnrolmentScene(place.store)
            credential = try scene.issue("b", 1, token: try scene.token("t", uses: 1))
            scene.known.with { $0.read = $0.read.map { $0 - .seconds(3_600) } }
            // Nobody else writes a file of SQLite but people on this machine.
            #expect(scene.send("b", credential) == 200)
        }
        let scene = try EnrolmentScene(EnrolmentStore(isShared: true, open: place.store.open))
        #expect(scene.send("b", credential) == 200)
        scene.known.with { $0.read = $0.read.map { $0 - .seconds(11) } }
        #expect(scene.send("b", credential) == 503 && scene.send("b", EnrolmentScene.boxToken) == 200)
        scene.known.with { $0.read = nil }
        #expect(scene.send("b", credential) == 503)
    }

    @Test func aRowOfSomebodyElseIsTold() throws {
        for row in ["'box', 'b', '{}'", "'box', 'b', 'x'", "'cat', 'b', '{}'", "'users', '', '{}'"] {
            let place = try EnrolmentPlace(.sqlite)
            let scene = try EnrolmentScene(place.store)
            let database = try Database(place.configuration.database)
            try database.execute("INSERT INTO enrolments VALUES (\(row), 1)")
            try database.execute("UPDATE enrolments SET change = 1 WHERE kind = 'counter'")
            do throws(StoreError) {
                try scene.book.follow()
                Issue.record("taken: \(row)")
            } catch {
                #expect(error.kind == .damaged, "\(row): \(error)")
            }
        }
    }
}
