// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import JSON
import Settings
import Testing
import Venue

@testable import Casting

@Suite struct HeadEndConfigurationTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../config").standardized

    private func problems(_ change: JSONValue) throws -> [String] {
        let demo = [UInt8](try Data(contentsOf: Self.folder.appending(path: "headend/demo.json")))
        let changed = try JSONValue.parse(demo).merging(patch: change)
        do {
            _ = try HeadEndConfiguration(parsing: changed.octets())
            return []
        } catch {
            guard case .invalid(let problems) = error else { throw error }
            return problems.map(\.description)
        }
    }

    private static func channels(_ changes: [JSONValue]) -> JSONValue {
        [
            "channels": .array(
                changes.enumerated().map { index, change in
                    let standard: JSONValue = [
                        "number": .integer(Int64(index)), "name": "n", "address": .string("239.0.0.\(index)"),
                    ]
                    return standard.merging(patch: change)
                })
        ]
    }

    /// `TOUCHLINE_WRITE_SCHEMA=1` writes it anew.
    @Test func committedSchemaIsTheGeneratedOne() throws {
        let generated = HeadEndConfiguration.jsonSchema.text(pretty: true)
        let file = Self.folder.appending(path: "headend.schema.json")
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_SCHEMA"] != nil {
            try generated.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == generated)
    }

    /// A text of 4,096 characters is possible, but not if the announcement becomes longer than boxes read; nor are windows
    /// that take more memory than a box gives them.
    @Test func announcesNothingThatNoBoxReads() throws {
        let long = String(repeating: "東", count: 4_000)
        let refusals = try problems(Self.channels([["text": .string(long)]]))
        #expect(refusals.count == 1 && refusals.first?.contains("/channels/0/text") == true, "\(refusals)")
        let windows: JSONValue = [
            "scheme": "windows", "sourcePackets": 200, "repairPackets": 55, "depth": 64, "spanMs": 2_000,
        ]
        let deep = try problems(Self.channels([["repair": windows]]))
        #expect(deep.count == 1 && deep.first?.contains("/channels/0/repair") == true, "\(deep)")
    }

    @Test func theDemoIsRead() throws {
        let demo = [UInt8](try Data(contentsOf: Self.folder.appending(path: "headend/demo.json")))
        let configuration = try HeadEndConfiguration(parsing: demo)
        #expect(configuration.channels.map(\.announcement.name) == ["One", "Two"])
        #expect(configuration.channels[1].announcement.transport.encapsulation == .raw)
        for channel in configuration.channels {
            let body = channel.announcement.encoded
            #expect(try body.withUnsafeBytes { try Announcement(decoding: $0) } == channel.announcement)
        }
        guard case .testCard(let settings) = configuration.channels[1].content else {
            Issue.record("no test card")
            return
        }
        #expect(settings.width == 640 && settings.rate == (50, 1) && settings.isLowDelay)
    }

    @Test func eachProblemNamesFieldValueAndExpectation() throws {
        let identifier = try problems(["streamer": ["id": "a/b"]])
        #expect(identifier == ["/streamer/id is \"a/b\"; expected A-Z a-z 0-9 . _ -"])
        let license = try problems(["license": .null])
        #expect(license == ["/license: expected an object"])
        let unknown = try problems(["bitrate": 5])
        #expect(unknown.first?.hasPrefix("/bitrate is no field; expected one of") == true)
        let range = try problems(Self.channels([["bitrateKbps": 1]]))
        #expect(range == ["/channels/0/bitrateKbps is 1; expected an integer, 64...100000"])
        let several = try problems(
            Self.channels([["width": 641], ["number": 0], ["address": "239.0.0.0"], ["kind": "file"]]))
        let expected = [
            "/channels/0/width is 641; expected an even number",
            "/channels/1/number is 0; expected a number that no other channel has",
            "/channels/2/port is 5004; expected no channel before with address and port the same",
            "/channels/3/file is \"\"; expected the path of a media file",
        ]
        #expect(several == expected)
    }
}
