// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

/// What is written on the screen of a whole box, without any picture (SVM-69).
@Suite(.serialized) struct ScreenTextCommandTests {
    private static func settings(_ screenText: JSONValue) -> JSONValue {
        [
            "network": ["interface": "lo"], "announcements": ["groups": []], "log": ["level": "error"],
            "output": ["width": 320, "height": 180], "screenText": screenText,
        ]
    }

    private func typesettings(_ box: RunningBox, _ count: Int64) throws {
        let answer = try box.await("stats") { $0.at("/stats/screenText/typesettings")?.integer == count }
        #expect(answer.at("/stats/screenText/typesettings")?.integer == count)
        #expect(answer.at("/stats/screenText/drawErrors")?.integer == 0)
    }

    @Test func messagesAndTickersAreTypesetOnce() throws {
        let box = try RunningBox(Self.settings(["timeZone": "Europe/Berlin"]))
        _ = try box.await("status") { $0["boxId"] != nil }
        #expect(box.client("message", "The bar closes").code == 0)
        try typesettings(box, 1)
        #expect(box.client("message", "The bar closes").code == 0)
        #expect(box.client("ticker", "Full time: 2:1", "--pixels-per-second", "125", "--position", "top").code == 0)
        try typesettings(box, 2)
        #expect(box.client("ticker", "Full time: 2:1", "--pixels-per-second", "0").code == 2)
        #expect(box.client("ticker-clear").code == 0)
        #expect(box.client("message-clear").code == 0)
        _ = try box.await("stats") { $0.at("/stats/screenText/removals")?.integer == 1 }
        #expect(box.client("osd", "stats", "on").code == 0)
        #expect(box.client("osd", "banner", "auto").code == 0)
        #expect(box.client("osd", "clock", "on").code == 2)
        #expect(box.end() == .ok)
    }

    /// The volume of the start is not shown, a change of it is.
    @Test func volumeIsShown() throws {
        let box = try RunningBox(Self.settings(["timeZone": "Nowhere/At_All"]))
        _ = try box.await("volume", "70") { $0["volume"]?.integer == 70 }
        try typesettings(box, 1)
        #expect(box.end() == .ok)
    }

    /// SVM-68: who plays, pauses or seeks sees where they are.
    @Test(.enabled(if: Groups.canBeJoined)) func transportCommandsShowTheBar() throws {
        var settings = Self.settings(["bannerMs": 0])
        settings["channels"] = [["name": "A", "address": "239.255.77.21", "port": 21_241]]
        let box = try RunningBox(settings)
        _ = try box.await("tune", "A") { $0["channel"] == "A" }
        try typesettings(box, 1)  // it waits for pictures
        #expect(box.client("play").code == 0)
        try typesettings(box, 3)  // the bar, and the buffering mark that makes room for it
        #expect(box.end() == .ok)
    }

    @Test func switchedOffThereIsNothingToSwitch() throws {
        let box = try RunningBox(Self.settings(["enabled": false]))
        _ = try box.await("status") { $0["boxId"] != nil }
        #expect(box.client("osd", "banner", "on").code == 1)
        #expect(box.client("message", "Still there").code == 0)
        try typesettings(box, 1)
        #expect(box.end() == .ok)
    }

    /// Of the settings, whatever the machine's own is.
    @Test func localTimesAreInTheZoneOfTheSettings() throws {
        let box = try RunningBox(Self.settings(["timeZone": "Asia/Kathmandu"]))
        let status = try box.await("status") { $0["boxId"] != nil }
        #expect(status["localTime"]?.string?.hasSuffix("+05:45") == true)
        #expect(status["time"]?.string?.hasSuffix("Z") == true)
        #expect(box.end() == .ok)
    }
}
