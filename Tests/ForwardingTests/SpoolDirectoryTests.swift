// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing
import Time

@testable import Forwarding

/// A spool in a directory of this machine.
@Suite final class SpoolDirectoryTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "touchline-spool-\(UUID())").path
    private let options: SpoolOptions = {
        var options = SpoolOptions()
        (options.segmentOctets, options.mostOctets) = (1_000, 3_000)
        return options
    }()
    private var random = SplitMix64(seed: 1)
    private var seconds: Int64 = 0

    deinit { try? FileManager.default.removeItem(atPath: path) }  // a leftover in /tmp hurts nobody

    private var files: SpoolDirectory { SpoolDirectory(path + "/reports") }
    private var moment: Moment { Moment(Monotonic(nanoseconds: seconds * 1_000_000_000), nil) }

    private func open() -> Spool { Spool(files, options, at: moment, &random) }

    private func pass(_ span: Int64, _ spool: Spool) {
        seconds += span
        spool.tick(at: moment)
    }

    /// Everything that there is, as a reporter that takes all of it gets it.
    private func drain(_ spool: Spool) -> [String] {
        var texts: [String] = []
        while let batch = spool.summary(octets: 500, at: moment.now).backlog {
            texts += batch.records.map { String(decoding: $0.payload, as: UTF8.self) }
            spool.settle(Settlement(batch.boot, acknowledged: batch.sequences, refused: RangeSet()), at: moment)
        }
        return texts
    }

    /// Starts that end without a word, and one that sends.
    @Test func reportsOutliveTheProcess() throws {
        for start in 0..<3 {
            let spool = open()
            #expect(spool.problem == nil)
            for number in 0..<5 { spool.append(.state, Array("\(start).\(number)".utf8), at: moment) }
            #expect(spool.counters.unwritten == 0)
        }
        let spool = open()
        #expect(drain(spool) == (0..<3).flatMap { start in (0..<5).map { "\(start).\($0)" } })
        #expect(try files.names() == [SpoolState.fileName])
        #expect(drain(open()).isEmpty)
    }

    @Test func theOldestGivesWay() throws {
        let spool = open()
        for number in 100..<200 {
            spool.append(.event, Array("\(number)".utf8) + [UInt8](repeating: 0x2E, count: 69), at: moment)
        }
        let names = try files.names().compactMap { SegmentName($0) }.sorted()
        #expect(names.count == 3 && spool.counters.lost == 100 - spool.counters.pending)
        let octets = try names.map { try files.read($0.description, limit: 1_000)?.count ?? 0 }.reduce(0, +)
        #expect(octets <= 3_000 && Int64(octets) == spool.counters.octets)
        #expect(open().counters.lost == spool.counters.lost)
    }

    /// Somebody removes the directory: what was in memory is written again.
    @Test func aDirectoryThatVanishesIsMadeAgain() throws {
        let spool = open()
        for number in 0..<3 { spool.append(.event, Array("\(number)".utf8), at: moment) }
        try FileManager.default.removeItem(atPath: path)
        spool.append(.event, Array("3".utf8), at: moment)
        #expect(spool.problem?.contains("No such file") == true && spool.counters.unwritten == 4)
        pass(5, spool)
        #expect(spool.problem == nil && spool.promisedThrough == 4)
        #expect(drain(open()) == ["0", "1", "2", "3"])
    }

    /// A file stands where the directory is to be.
    @Test func aPlaceThatTakesNothing() throws {
        try DurableFile.makeDirectory(path)
        try DurableFile.write([], to: path + "/reports")
        let spool = open()
        spool.append(.event, Array("a".utf8), at: moment)
        #expect(spool.problem?.contains(path) == true && spool.promisedThrough == 0)
        #expect(spool.summary(octets: 500, at: moment.now).newest == nil)
        #expect(spool.summary(octets: 500, at: moment.now).backlog?.records.count == 1)
        pass(5, spool)
        #expect(spool.counters.diskFailures >= 3)
        DurableFile.remove(path + "/reports")
        pass(5, spool)
        #expect(spool.problem == nil && spool.promisedThrough == 1)
        spool.append(.event, Array("b".utf8), at: moment)
        #expect(drain(open()) == ["a", "b"])
    }

    /// As in `FakeDisk`.
    @Test func filesAreAsPromised() throws {
        let files = files
        #expect(try files.names().isEmpty)
        #expect(try files.read("a", limit: 10) == nil)
        #expect(thrown(SystemCallError.self) { try files.extend("a", by: [1]) }?.code == .notFound)
        #expect(thrown(SystemCallError.self) { try files.flush("a") }?.code == .notFound)
        try files.remove("a")
        try files.create("a", with: [1, 2, 3])
        try files.create("a", with: [4])
        try files.extend("a", by: [5, 6])
        try files.flush("a")
        try files.replace("b", with: [7])
        try files.replace("b", with: [8])
        try files.flushNames()
        #expect(try files.read("a", limit: 3) == [4, 5, 6])
        #expect(thrown(SystemCallError.self) { try files.read("a", limit: 2) } != nil)
        #expect(try files.read("b", limit: 3) == [8])
        #expect(try files.names().sorted() == ["a", "b"])
        try files.remove("a")
        #expect(try files.names() == ["b"])
    }
}
