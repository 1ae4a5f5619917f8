// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import Foundation
import JSON
import Shapes
import System
import TestSupport
import Testing
import Venue

@testable import Hosting

/// The document with which a box starts, whatever is on its disk.
@Suite final class SettingsSourcesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("settings-\(UUID().uuidString)")
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // what is left is in a folder of temporary files

    private let sections = [
        SectionDescription(
            .group(
                "sound", "Sound.",
                [FieldDescription("volume", .integer(0...100), .defaulted(100), "Volume.").changing(.atOnce)]))
    ]

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    private func open(
        failedStarts: Int = 0
    ) throws -> (store: SettingsStore, refusals: [SettingsRefusal], archive: SettingsRevisions) {
        let revisions = try SettingsRevisions(directory: path("revisions"), loop: loop)
        let sources = SettingsSources(image: path("image.json"), imported: path("etc.json"), revisions: revisions)
        let start = sources.open(failedStarts: failedStarts, wallTime: "now") { [sections] image, revision, earlier in
            try SettingsStore(
                sections, image: image, revision: revision, earlier: earlier, archive: revisions)
        }
        start.store.wallTime = { "now" }
        if let made = start.made { try revisions.keep(made) }
        return (start.store, start.refusals, revisions)
    }

    /// Turns the loop until the change has been answered.
    @discardableResult
    private func change(_ store: SettingsStore, _ patch: JSONValue) throws -> Result<SettingsOutcome, SettingsFailure>?
    {
        var result: Result<SettingsOutcome, SettingsFailure>?
        store.change(.merge(patch), from: .localSocket) { result = $0 }
        for _ in 0..<200 where result == nil { try loop.turn(atMost: .milliseconds(50)) }
        return result
    }

    @Test func withoutAnyDocumentThereAreTheDefaults() throws {
        let (store, refusals, _) = try open()
        #expect(store.revision == .none && store.shown == ["sound": ["volume": 100]] && refusals.isEmpty)
    }

    @Test func anInstalledFileBecomesTheFirstRevisionAndAChangedOneTheNewest() throws {
        try write(#"{"sound":{"volume":30}}"#, "etc.json")
        let (store, refusals, _) = try open()
        let first = SettingsRevision(number: 1, author: path("etc.json"), document: store.written, time: "now")
        #expect(store.revision == first)
        #expect(store.shown["sound"]?["volume"] == 30 && refusals.isEmpty)
        try change(store, ["sound": ["volume": 40]])
        #expect(try open().store.shown["sound"]?["volume"] == 40, "the file has not changed")
        try write(#"{"sound":{"volume":50}}"#, "etc.json")
        let again = try open().store
        #expect(again.shown["sound"]?["volume"] == 50 && again.revision.number == 3)
    }

    /// SVM-12: a document that is refused leaves the last good one in force, and is named.
    @Test(arguments: ["{", "[]", #"{"sound":{"volume":101}}"#, #"{"sund":{}}"#, ""])
    func aBadFileLeavesTheLastGoodOneInForce(text: String) throws {
        try write(#"{"sound":{"volume":30}}"#, "etc.json")
        _ = try open()
        try write(text, "etc.json")
        try write(text, "image.json")
        let (store, refusals, _) = try open()
        #expect(store.shown["sound"]?["volume"] == 30 && store.revision.number == 1)
        #expect(refusals.map(\.source) == [path("image.json"), path("etc.json")])
        #expect(refusals.allSatisfy { !$0.why.isEmpty })
    }

    @Test func aBadRevisionIsPassedOver() throws {
        let (store, _, _) = try open()
        for volume in 1...3 { try change(store, ["sound": ["volume": .integer(Int64(volume))]]) }
        try write("{\"settings\":", "revisions/3.json")
        let (old, refusals, _) = try open()
        #expect(old.shown["sound"]?["volume"] == 2 && old.revision.number == 2)
        #expect(refusals.map(\.source) == [path("revisions/3.json")])
    }

    @Test func onlyTheNewestAreKept() throws {
        let (store, _, _) = try open()
        for volume in 1...12 { try change(store, ["sound": ["volume": .integer(Int64(volume))]]) }
        let names = try FileManager.default.contentsOfDirectory(atPath: path("revisions")).sorted()
        #expect(names == (5...12).map { "\($0).json" }.sorted())
    }

    /// A change that is cut off leaves its temporary file behind.
    @Test func temporaryFilesAreRemovedAndRevisionsStay() throws {
        let (store, _, archive) = try open()
        try change(store, ["sound": ["volume": 10]])
        try write("{", "revisions/2.json.new")
        try write("{", "revisions/imported.json.new")
        archive.removeUnpublished()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("revisions")) == ["1.json"])
    }

    @Test func aDiskThatCannotBeWrittenRefusesTheChange() throws {
        let (store, _, _) = try open()
        try write("", "revisions")  // a file where the directory should be
        guard case .failure(.notWritten(let status)) = try change(store, ["sound": ["volume": 1]]) else {
            Issue.record("the change is taken")
            return
        }
        #expect(status.errorString.contains("revisions") && store.shown["sound"]?["volume"] == 100)
    }

    /// At each step of the commit the disk is copied: a box that starts from the copy has the old document or the new.
    @Test func atEachStepTheDiskHoldsTheOldOrTheNewDocument() throws {
        let (store, _, archive) = try open()
        try change(store, ["sound": ["volume": 10]])
        var seen: [JSONValue?] = []
        func restart() throws { seen.append(try open().store.shown["sound"]?["volume"]) }
        let next = SettingsRevision(number: 2, author: "test", document: ["sound": ["volume": 20]])
        var steps = 0
        archive.stage(next) { problem in
            #expect(problem == nil)
            steps += 1
        }
        while steps < 1 { try loop.turn(atMost: .milliseconds(50)) }
        try restart()
        archive.publish(keeping: [2]) { problem in
            #expect(problem == nil)
            steps += 1
        }
        while steps < 2 { try loop.turn(atMost: .milliseconds(50)) }
        try restart()
        #expect(seen == [10, 20])
    }

    // MARK: Revisions that are not confirmed

    private func write(
        _ number: Int, volume: Int, _ unconfirmed: SettingsRevision.Unconfirmed? = nil
    ) throws {
        try FileManager.default.createDirectory(atPath: path("revisions"), withIntermediateDirectories: true)
        let revision = SettingsRevision(
            number: number, author: "test", document: ["sound": ["volume": .integer(Int64(volume))]],
            unconfirmed: unconfirmed)
        try Data(revision.fileOctets).write(to: folder.appendingPathComponent("revisions/\(number).json"))
    }

    /// SVM-21: a box that is cut off before a change is confirmed is without it from then on.
    @Test func anUnconfirmedRevisionIsTakenBackByAStart() throws {
        try write(1, volume: 10)
        try write(2, volume: 20, .init(returnTo: 1, expected: [.picture]))
        let (store, refusals, _) = try open()
        #expect(store.shown["sound"]?["volume"] == 10 && store.revision.number == 3 && store.pending == nil)
        #expect(store.revision.author == "touchline" && store.revision.comment.contains("revision 2 was not confirmed"))
        #expect(refusals.map(\.source) == ["revision 2"])
        #expect(store.history.map(\.number) == [3, 2, 1])
        let (again, later, _) = try open()
        #expect(again.revision.number == 3 && later.isEmpty, "it is told once")
    }

    @Test func theFirstRevisionOfAllMayBeTakenBackToo() throws {
        try write(1, volume: 20, .init(returnTo: 0))
        let (store, _, _) = try open()
        #expect(store.shown["sound"]?["volume"] == 100 && store.revision.number == 2)
        #expect(try open().store.revision.number == 2)
    }

    /// What needs a restart has two starts; each is counted on the disk before it can fail.
    @Test func aRevisionThatAwaitsARestartIsTried() throws {
        try write(1, volume: 10)
        try write(2, volume: 20, .init(returnTo: 1, startsLeft: 2, expected: [.picture]))
        for left in [1, 0] {
            let (store, refusals, _) = try open()
            #expect(store.revision.number == 2 && store.revision.unconfirmed?.startsLeft == left && refusals.isEmpty)
            #expect(store.pending?.returnTo.number == 1 && store.pending?.watch.expected == [.picture])
        }
        #expect(try open().store.shown["sound"]?["volume"] == 10)
    }

    /// Goal M5: settings with which the service ends again and again are given up.
    @Test func afterSeveralFailedStartsTheImageIsInForce() throws {
        try write(#"{"sound":{"volume":50}}"#, "image.json")
        try write(1, volume: 10)
        #expect(try open(failedStarts: 3).store.shown["sound"]?["volume"] == 10)
        let (store, refusals, _) = try open(failedStarts: 4)
        #expect(store.shown["sound"]?["volume"] == 50 && store.revision.number == 2 && store.written == [:])
        #expect(refusals.map(\.source) == ["revision 1"])
        let (again, later, _) = try open(failedStarts: 5)
        #expect(again.revision.number == 2 && later.isEmpty, "there is nothing more to give up")
        // Whoever installs another file gets another try.
        try write(#"{"sound":{"volume":60}}"#, "etc.json")
        #expect(try open(failedStarts: 6).store.shown["sound"]?["volume"] == 60)
    }

    @Test func aRevisionIsReadAsItWasWritten() throws {
        let revision = SettingsRevision(
            number: 7, author: "Ann", document: ["sound": ["volume": 1]], time: "2026-11-26T11:00:00.000Z",
            comment: "quieter", unconfirmed: .init(returnTo: 6, startsLeft: 2, expected: [.network, .picture]))
        let file = try JSONValue.parse(revision.fileOctets)
        #expect(try SettingsRevision(number: 7, file: file) == revision)
        var broken = file
        broken["unconfirmed"] = ["returnTo": -1]
        #expect(throws: Status.self) { try SettingsRevision(number: 7, file: broken) }
    }
}
