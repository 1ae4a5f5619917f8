// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import JSON
import Shapes
import TestSupport
import Testing

@testable import Hosting

@Suite struct SettingsPathTests {
    private let kind = ValueKind.record([
        FieldDescription(
            "channels",
            .list(
                of: .record([
                    FieldDescription("name", .text(1...16), .required, "Name."),
                    FieldDescription("port", .integer(1...65_535), .defaulted(5_000), "Port."),
                ]), 0...8), .defaulted([["name": "Own"]]), "Channels."),
        .group(
            "sound", "Sound.",
            [
                FieldDescription("volume", .integer(0...100), .defaulted(100), "Volume."),
                FieldDescription("device", .text(0...16), .defaulted(""), "Device."),
            ]),
        FieldDescription("levels", .map(of: .integer(0...9)), .defaulted([:]), "Levels."),
    ])

    private func patch(_ path: String, _ value: JSONValue?, now: JSONValue = [:]) throws -> JSONValue {
        try SettingsPath(path).patch(value, of: kind, now: now)
    }

    @Test func dotsAndPointersNameTheSame() throws {
        #expect(SettingsPath("sound.volume") == SettingsPath("/sound/volume"))
        #expect(SettingsPath("/channels/A~1B.C").tokens == ["channels", "A/B.C"])
        #expect(try patch("sound.volume", "40") == ["sound": ["volume": 40]])
        #expect(try patch("sound.device", 7) == ["sound": ["device": "7"]])
        #expect(try patch("sound", nil) == ["sound": .null])
        #expect(try patch("levels.stage", 3) == ["levels": ["stage": 3]])
    }

    @Test func anElementIsChangedInACopyOfItsList() throws {
        let now: JSONValue = ["channels": [["name": "News"], ["name": "Sport", "port": 6_000]]]
        #expect(
            try patch("channels.Sport.port", "6002", now: now)
                == ["channels": [["name": "News"], ["name": "Sport", "port": 6_002]]])
        #expect(try patch("channels.1.port", nil, now: now) == ["channels": [["name": "News"], ["name": "Sport"]]])
        #expect(try patch("channels.News", nil, now: now) == ["channels": [["name": "Sport", "port": 6_000]]])
        #expect(
            try patch("channels.-", #"{"name":"New"}"#) == ["channels": [["name": "Own"], ["name": "New"]]],
            "the default of a list is changed like a list that was written")
    }

    @Test(arguments: [
        ("", "/"), ("sund", "/sund"), ("sound.volume.x", "/sound/volume/x"), ("channels.Nope.port", "/channels/Nope"),
        ("channels.9", "/channels/9"), ("channels.-1", "/channels/-1"),
    ])
    func anUnknownPathIsNamed(path: String, named: String) throws {
        let failure = thrown(SettingsFailure.self) { _ = try patch(path, 1) }
        guard case .unknownPath(let problem) = failure else {
            Issue.record("\(path) is taken")
            return
        }
        #expect(problem.path == named && problem.isUnknown)
    }

    @Test func noPathTraps() throws {
        var random = SplitMix64(seed: 5)
        let parts = ["sound", "volume", "channels", "0", "-", "News", "", "~", "~1", "/", ".", "levels", "\u{301}"]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            for path in [text.joined(separator: "."), "/" + text.joined(separator: "/")] {
                _ = try? patch(path, "1", now: ["channels": [["name": "News"]]])  // whatever comes of it
                _ = try? SettingsPath(path).find(in: kind, kind.completing([:]))
            }
        }
    }
}
