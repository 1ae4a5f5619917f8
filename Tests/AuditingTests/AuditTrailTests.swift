// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import System
import TestSupport
import Testing
import Time

@testable import Auditing

@Suite final class AuditTrailTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-audit-\(UUID())").path
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }
    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private static func at(_ second: Int64) -> WallTime { WallTime(nanoseconds: second * 1_000_000_000) }

    private static func act(
        _ command: String, _ outcome: Act.Outcome = .done(revision: nil), isAdministration: Bool = true,
        address: String = "10.0.0.1"
    ) -> Act {
        Act(
            Caller(.http, role: .administrator, name: "anna", address: address), command,
            arguments: ["name": "x\u{2028}"], isAdministration: isAdministration, outcome)
    }

    @Test func anEntrySaysWhoDidWhat() throws {
        var trail = AuditTrail()
        let added = trail.add(Self.act("config-set", .done(revision: 7)), at: Self.at(5))
        let entry = try #require(added)
        #expect(entry.name == "anna" && entry.address == "10.0.0.1" && entry.origin == "http")
        #expect(entry.outcome == .done && entry.detail == "revision 7" && entry.kind == .administration)
        #expect(AuditEntry(line: entry.line) == entry)
        #expect(trail.entries(before: nil, atMost: 9) == [entry] && trail.entries(before: 1, atMost: 9).isEmpty)
    }

    /// Whoever guesses, or zaps, fills his own part of it and writes few lines.
    @Test func repetitionsAreCounted() {
        var trail = AuditTrail()
        _ = trail.add(Self.act("token-create"), at: Self.at(1))
        var lines = 0
        for index in 0..<10_000 {
            let act = Self.act("login", .refused("the token is not known"), address: "10.0.0.\(index % 4)")
            if trail.add(act, at: Self.at(Int64(index))) != nil { lines += 1 }
        }
        let entries = trail.entries(before: nil, atMost: 100)
        #expect(entries.count == 5 && entries.filter { $0.count == 2_500 }.count == 4 && lines == 4 * 12)
        #expect(entries[0].last == Self.at(9_999) && entries[0].time == Self.at(3))
        for index in 0..<1_000 { _ = trail.add(Self.act("tune \(index)", isAdministration: false), at: Self.at(0)) }
        for index in 0..<1_000 { _ = trail.add(Self.act("x", .refused("\(index)")), at: Self.at(0)) }
        #expect(trail.entries(before: nil, atMost: 9_999).count == 2 * AuditTrail.limit + 1)
        #expect(trail.entries(before: nil, atMost: 9_999).last?.command == "token-create")
    }

    @Test func whatIsLongIsCut() throws {
        var trail = AuditTrail()
        let long = String(repeating: "\u{1f600}", count: 5_000)
        let added = trail.add(Self.act(long, .failed(long)), at: Self.at(0))
        let entry = try #require(added)
        #expect(entry.command.unicodeScalars.count == AuditEntry.textLimit && entry.line.count <= AuditEntry.lineLimit)
        #expect(AuditEntry(line: entry.line) == entry)
    }

    @Test func damagedLinesAreLeftOut() throws {
        var trail = AuditTrail()
        let added = trail.add(Self.act("a"), at: Self.at(1))
        let line = try #require(added).line
        for count in line.indices { #expect(AuditEntry(line: Array(line[..<count])) == nil) }
        var mutation = Mutation(seed: 5)
        for _ in 0..<Mutation.count() {
            let again = AuditTrail(reading: [mutation.damage(line), line])
            #expect(again.entries(before: nil, atMost: 9).contains { $0.command == "a" })
        }
    }

    private func append(_ acts: [Act], to trail: inout AuditTrail, _ store: AuditStore) {
        for act in acts { if let entry = trail.add(act, at: Self.at(9)) { store.append(entry) } }
    }

    @Test func theDiskKeepsIt() throws {
        let store = try AuditStore(directory: directory, loop: loop)
        var trail = store.read().trail
        #expect(trail.lastSequence == 0 && store.read().problem == nil)
        append(
            [Self.act("a"), Self.act("b", .refused("no")), Self.act("c", isAdministration: false)], to: &trail, store)
        store.stop()
        #expect(store.lost == 0)
        var (again, _) = try AuditStore(directory: directory, loop: loop).read()
        #expect(again.entries(before: nil, atMost: 9) == trail.entries(before: nil, atMost: 9))
        // Numbers go on.
        let next = again.add(Self.act("d"), at: Self.at(10))
        #expect(next?.sequence == 4)
    }

    /// Power may fail at each octet of a line; what was there before, and what comes after, is read.
    @Test func aCutLineCostsItself() throws {
        var trail = AuditTrail()
        let store = try AuditStore(directory: directory, loop: loop)
        append([Self.act("before")], to: &trail, store)
        store.stop()
        let path = store.path(of: .administration)
        let whole = try #require(try DurableFile.read(path))
        let (cut, after) = (trail.add(Self.act("cut"), at: Self.at(9)), trail.add(Self.act("after"), at: Self.at(9)))
        let next = try #require(cut).line
        let last = try #require(after).line
        for count in 0...next.count {
            try DurableFile.write(whole + [UInt8(ascii: "\n")] + next[..<count], to: path)
            try DurableFile.append([last], to: path, limit: 1 << 20)
            let commands = store.read().trail.entries(before: nil, atMost: 9).map(\.command)
            #expect(commands == (count == next.count ? ["after", "cut", "before"] : ["after", "before"]), "\(count)")
        }
    }

    @Test func theFilesAreBounded() throws {
        let store = try AuditStore(directory: directory, loop: loop)
        var trail = AuditTrail()
        for round in 0..<40 {
            let text = String(repeating: "x", count: 190)
            append((0..<50).map { Self.act("\(round) \($0)", .failed(text)) }, to: &trail, store)
            store.stop()
        }
        let sizes = try DurableFile.names(in: directory + "/audit").map { name in
            try FileManager.default.attributesOfItem(atPath: "\(directory)/audit/\(name)")[.size] as? Int ?? 0
        }
        #expect(sizes.count == 2 && sizes.allSatisfy { $0 < AuditStore.fileLimit + 40_000 }, "\(sizes)")
        #expect(store.read().trail.entries(before: nil, atMost: 999) == trail.entries(before: nil, atMost: 999))
    }

    @Test func aFullDiskIsToldAndCounted() throws {
        try DurableFile.write([], to: directory)
        let store = try AuditStore(directory: directory, loop: loop)
        var problem: String?
        store.onProblem = { [loop] in
            problem = $0
            loop.stop()
        }
        var trail = AuditTrail()
        append([Self.act("a")], to: &trail, store)
        try loop.run()
        #expect(problem?.contains(directory) == true && store.lost == 1)
    }
}
