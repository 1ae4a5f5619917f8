// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import Foundation
import Hosting
import JSON
import Settings
import System
import TestSupport
import Testing

@testable import Box

/// SVM-10: a new release takes the documents of the last one unchanged. Those of each release, and what its boxes made of
/// them, are kept in `config/history`.
@Suite struct HistoryTests {
    struct Release: CustomTestStringConvertible, Sendable {
        let folder: URL
        var testDescription: String { folder.lastPathComponent }

        func documents(_ kind: String) throws -> [(name: String, document: JSONValue)] {
            let place = folder.appendingPathComponent(kind)
            return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
                .map { ($0.lastPathComponent, try JSONValue.parse(String(contentsOf: $0, encoding: .utf8))) }
        }

        func document(_ name: String) throws -> JSONValue {
            try JSONValue.parse(String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config/history")
    private static let releases: [Release] = {
        let all = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return all.filter(\.hasDirectoryPath).sorted { $0.path < $1.path }.map { Release(folder: $0) }
    }()

    private func store(_ document: JSONValue) throws -> SettingsStore {
        let revision = SettingsRevision(number: 1, author: "image", document: document)
        return try SettingsStore(
            Box.sections, revision: revision, archive: MemoryArchive(), consistency: Settings.problems)
    }

    @Test func thereIsARelease() { #expect(!Self.releases.isEmpty) }

    /// `TOUCHLINE_WRITE_HISTORY=VERSION` writes what this build makes of the documents of a release: to be used once, by
    /// the build of that release.
    @Test(arguments: releases) func eachDocumentHasTheSettingsItHad(_ release: Release) throws {
        let isWritten = ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_HISTORY"] == release.testDescription
        let changes = try release.document("changes.json").array ?? []
        for (name, document) in try release.documents("settings") {
            let shown = try store(document).shown
            let place = release.folder.appendingPathComponent("effective/\(name)")
            if isWritten { try (shown.text(pretty: true) + "\n").write(to: place, atomically: true, encoding: .utf8) }
            var differences: [String] = []
            compare(try release.document("effective/\(name)"), shown, "", &differences)
            let told = changes.filter { $0["document"] == .string(name) || $0["document"] == nil }
                .compactMap { $0["path"]?.string }
            #expect(differences.filter { !told.contains($0) }.isEmpty, "\(name)")
        }
    }

    /// Finds the paths at which a setting has another value than it had, or none. Those that are new are none of them.
    private func compare(_ before: JSONValue, _ after: JSONValue?, _ path: String, _ differences: inout [String]) {
        if let members = before.object {
            for (name, value) in members { compare(value, after?[name], "\(path)/\(name)", &differences) }
        } else if let elements = before.array, elements.contains(where: { $0.object != nil }) {
            let others = after?.array ?? []
            guard elements.count == others.count else { return differences.append(path) }
            for (index, value) in elements.enumerated() {
                compare(value, others[index], "\(path)/\(index)", &differences)
            }
        } else if before != after {
            differences.append(path)
        }
    }

    /// What the schema of a release permitted is permitted.
    @Test(arguments: releases) func nothingIsNarrowed(_ release: Release) throws {
        let changes = try release.document("changes.json").array ?? []
        let told = Set(changes.compactMap { $0["schema"]?.string })
        var narrowed: [String] = []
        narrow(
            try release.document("settings.schema.json"), Settings.jsonSchema(of: Box.catalogue.settings), "", &narrowed
        )
        #expect(narrowed.filter { !told.contains($0) }.isEmpty)
    }

    private func narrow(_ before: JSONValue, _ after: JSONValue?, _ path: String, _ narrowed: inout [String]) {
        guard let after else { return narrowed.append(path) }
        for (name, value) in before["properties"]?.object ?? [:] {
            narrow(value, after["properties"]?[name], "\(path)/\(name)", &narrowed)
        }
        if let items = before["items"], items.object != nil {
            narrow(items, after["items"], "\(path)/items", &narrowed)
        }
        let limits = [
            ("maximum", true), ("minimum", false), ("maxLength", true), ("minLength", false), ("maxItems", true),
        ]
        for (limit, isUpper) in limits {
            guard let now = after[limit]?.integer else { continue }
            let then = before[limit]?.integer
            if then == nil || (isUpper ? now < (then ?? now) : now > (then ?? now)) {
                narrowed.append("\(path) \(limit)")
            }
        }
        let words = Set(after["enum"]?.array ?? [])
        if let then = before["enum"]?.array, !words.isEmpty, !words.isSuperset(of: then) {
            narrowed.append("\(path) enum")
        }
        let required = Set((after["required"]?.array ?? []).compactMap(\.string))
        if !required.isSubset(of: (before["required"]?.array ?? []).compactMap(\.string)) {
            narrowed.append("\(path) required")
        }
    }

    /// A box that was running when it was updated goes on with its settings, a change that had to prove itself among them.
    @Test(arguments: releases) func aBoxStartsOnWhatItKept(_ release: Release) throws {
        let box = try RunningBox(["output": ["kind": "null"], "sound": ["kind": "null"]])
        _ = try box.await("status") { $0["boxId"] != nil }
        #expect(box.end(isKept: true) == .ok)
        let state = box.directory + "/state"
        for (name, document) in try release.documents("state/settings") {
            try DurableFile.makeDirectory(state + "/settings")
            try DurableFile.write(document.octets(pretty: true), to: "\(state)/settings/\(name)")
        }
        let again = try RunningBox(restarting: box)
        let shown = try again.await("config") { $0["config"] != nil }
        let expected = try release.document("state/expected.json")
        #expect(shown["revision"] == expected["revision"], "\(shown.text())")
        var differences: [String] = []
        compare(expected["config"] ?? .null, shown["config"], "", &differences)
        #expect(differences.isEmpty)
        let events = try again.answer("events")["events"]?.array ?? []
        #expect(!events.contains { $0["type"] == "service.settingsRefused" })
        #expect(again.end() == .ok)
    }
}
