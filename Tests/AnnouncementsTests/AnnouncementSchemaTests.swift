// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import JSON
import TestSupport
import Testing

/// Schema, worked examples and decoder say the same; Python's jsonschema is the judge of the schema.
struct AnnouncementSchemaTests {
    private static let config = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../config").standardizedFileURL

    private static func examples() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: config.appendingPathComponent("announcements"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }

    @Test func examplesAreAnnouncements() throws {
        let examples = try Self.examples()
        #expect(examples.count >= 5)
        for example in examples {
            let announcement = try Announcement([UInt8](Data(contentsOf: example)))
            #expect(try Announcement(announcement.encoded) == announcement, "\(example.lastPathComponent)")
        }
    }

    @Test func schemaIsStrictJSON() throws {
        let schema = try JSONValue.parse([UInt8](Data(contentsOf: Self.config.appendingPathComponent(Self.schemaName))))
        #expect(schema.at("/properties/version/const") == .integer(Announcement.version))
    }

    @Test(.enabled(if: JSONSchemaPeer.isThere)) func schemaAgreesWithTheDecoder() throws {
        var sound = try Self.examples().map { try JSONValue.parse([UInt8](Data(contentsOf: $0))) }
        sound += [AnnouncementTests.full.json, try JSONValue.parse(AnnouncementTests.least)]
        let ours = Set(BrokenField.onlyOurs.map(\.testDescription))
        let broken = try BrokenField.all.filter { !ours.contains($0.testDescription) }
            .map { try $0.applied(to: AnnouncementTests.least) }
        let verdicts = try JSONSchemaPeer.verdicts(
            on: (sound + broken).map { $0.text() }, schema: Self.config.appendingPathComponent(Self.schemaName).path)
        try #require(verdicts.count == sound.count + broken.count)
        for (value, isValid) in zip(sound, verdicts) { #expect(isValid, "\(value)") }
        for (value, isValid) in zip(broken, verdicts.dropFirst(sound.count)) { #expect(!isValid, "\(value)") }
        PeerLog.add("jsonschema", test: "AnnouncementSchemaTests", checks: verdicts.count)
    }

    private static let schemaName = "announcement.schema.json"
}
