// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing
import Venue

@testable import Box

/// `config/ALIASES.md` says what the service does with the names of the reference (C1).
struct AliasTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../config/ALIASES.md").standardizedFileURL

    /// The cells of each row of the document's tables, as they stand between the bars.
    private static func rows() throws -> [[String]] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            }
    }

    @Test func theReasonsAreThoseOfTheCode() throws {
        let written = try Self.rows().filter { Int($0.first ?? "") != nil }
        let known = ServiceState.Reasons.aliases.map { alias -> [String] in
            let bit = ServiceState.Reasons(named: alias.name)?.rawValue ?? 0
            return ["\(bit)"] + ([alias.name] + alias.spellings).map { "`\($0)`" }
        }
        #expect(written == known)
        #expect(ServiceState.Reasons.aliases.map(\.name) == ServiceState.Reasons.allNames)
    }

    /// What the calls and notifications are called here exists.
    @Test func eachOfOurNamesIsOneOfTheService() throws {
        let rows = try Self.rows().filter { $0.count == 3 && ["command", "event"].contains($0[1]) }
        #expect(rows.count > 20)
        let commands = Set(Box.catalogue.commands.map(\.name))
        let events = Set(Box.catalogue.events.map(\.type))
        for row in rows {
            let name = row[2].trimmingCharacters(in: ["`"])
            #expect(row[1] == "command" ? commands.contains(name) : events.contains(name), "\(row)")
        }
    }

    /// C1: a box takes each spelling of each reason, by its socket and by HTTP, and answers by its own.
    @Test func aBoxTakesEachSpelling() throws {
        let box = try RunningBox([
            "network": ["interface": "lo"], "announcements": ["groups": []], "log": ["level": "error"],
            "output": ["width": 320, "height": 180], "health": ["firstListenMs": 0, "noChannels": ["raiseMs": 0]],
        ])
        _ = try box.await("service") { $0["reasonNames"] == ["NoChannels"] }
        for (name, spellings) in ServiceState.Reasons.aliases {
            for spelling in [name] + spellings {
                let answer = try box.answer("service", "--reason", spelling)
                #expect(answer["isReason"] == .bool(name == "NoChannels"), "\(spelling)")
                #expect(answer["reasonNames"] == ["NoChannels"])
            }
        }
        let (code, body) = try box.http("POST", "/v1/service", ["reason": "kSVMServiceDownReasonNoChannels"])
        #expect(code == 200 && body["isReason"] == true && body["reasonNames"] == ["NoChannels"])
        #expect(
            try box.answer("service", "--reason", "Thirst")["errorString"]
                == "reason is 'Thirst'; expected one of NotRunning, WiFiDown, NoChannels, PoorQuality")
        #expect(try box.answer("service")["isReason"] == nil)
        #expect(box.end() == .ok)
    }
}
