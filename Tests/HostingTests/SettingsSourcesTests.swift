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

    private func open() throws -> (store: SettingsStore, refusals: [SettingsRefusal], archive: SettingsRevisions) {
        let revisions = try SettingsRevisions(directory: path("revisions"), loop: loop)
        let sources = SettingsSources(image: path("image.json"), imported: path("etc.json"), revisions: revisions)
        let start = sources.open { [sections] image, revision in
            try SettingsStore(sections, image: image, revision: revision, archive: revisions)
        }
        if let imported = start.imported { try revisions.keep(imported) }
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
        #expect(store.revision == SettingsRevision(number: 1, author: path("etc.json"), document: store.written))
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
        archive.publish { problem in
            #expect(problem == nil)
            steps += 1
        }
        while steps < 2 { try loop.turn(atMost: .milliseconds(50)) }
        try restart()
        #expect(seen == [10, 20])
    }
}
