// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import CompanionScreens

@Suite struct TimelineSelectorTests {
    private static let elapsed = "tag:rd.bbc.co.uk,2015-12-08:dvb:css:timeline:simple-elapsed-time:"

    /// CSS-35: pts, TEMI, DASH periods, and elapsed time at 1 000 and 5 000 ticks.
    @Test(
        arguments: [
            ("urn:dvb:css:timeline:pts", .pts, 90_000),
            ("urn:dvb:css:timeline:temi:1:128", .temi(componentTag: 1, timelineID: 128), nil),
            ("urn:dvb:css:timeline:temi:255:0", .temi(componentTag: 255, timelineID: 0), nil),
            ("urn:dvb:css:timeline:mpd:period:rel:1000", .dashPeriod(TickRate(1_000), period: nil), 1_000),
            ("urn:dvb:css:timeline:mpd:period:rel:44100:p:2", .dashPeriod(TickRate(44_100), period: "p:2"), 44_100),
            ("urn:dvb:css:timeline:ct", .compositionTime, nil),
            (Self.elapsed + "1000", .elapsedTime(TickRate(1_000)), 1_000),
            (Self.elapsed + "5000", .elapsedTime(TickRate(5_000)), 5_000),
        ] as [(String, TimelineSelector, Int64?)])
    func readsWhatIsKnown(text: String, selector: TimelineSelector, rate: Int64?) {
        #expect(TimelineSelector(text) == selector)
        #expect(selector.text == text)
        #expect(selector.tickRate?.ticksPerSecond == rate)
    }

    @Test(arguments: [
        "", "urn:x", "urn:dvb:css:timeline:", "URN:dvb:css:timeline:pts", "urn:dvb:css:timeline:pts:1",
        "urn:dvb:css:timeline:temi", "urn:dvb:css:timeline:temi:1", "urn:dvb:css:timeline:temi:1:2:3",
        "urn:dvb:css:timeline:temi:01:2", "urn:dvb:css:timeline:temi:256:2", "urn:dvb:css:timeline:temi:-1:2",
        "urn:dvb:css:timeline:temi:a:2", "urn:dvb:css:timeline:temi:1:2:", "urn:dvb:css:timeline:temi:1::2",
        "urn:dvb:css:timeline:mpd:period:rel:", "urn:dvb:css:timeline:mpd:period:rel:0",
        "urn:dvb:css:timeline:mpd:period:rel:1000:", "urn:dvb:css:timeline:mpd:period:rel:1000000001",
        Self.elapsed, Self.elapsed + "+5", Self.elapsed + "5000 ", Self.elapsed + "99999999999999999999999",
    ])
    func anyOtherTextStaysAsItIs(text: String) {
        #expect(TimelineSelector(text) == .other(text))
        #expect(TimelineSelector(text).text == text && TimelineSelector(text).tickRate == nil)
    }

    @Test(arguments: Effort.seeds(200)) func textsComeBack(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        for text in ["urn:dvb:css:timeline:temi:1:128", "urn:dvb:css:timeline:mpd:period:rel:1:p2", Self.elapsed + "5"]
        {
            let damaged = String(decoding: mutation.damage(Array(text.utf8)), as: UTF8.self)
            #expect(Array(TimelineSelector(damaged).text.utf8) == Array(damaged.utf8))
        }
    }

    /// CSS-31: a part of the identifier is enough; the rest may still come.
    @Test func stemsMatchTheBeginningOfIdentifiers() {
        let stem = ContentIDStem("dvb://233a")
        #expect(stem.matches(Captured.contentID) && stem.matches("dvb://233a"))
        #expect(!stem.matches("dvb://233A.1004.1044") && !stem.matches("dvb://233") && !stem.matches(nil))
        #expect(ContentIDStem("").matches("x") && ContentIDStem("").matches("") && !ContentIDStem("").matches(nil))
        // No normalisation: these are equal as text.
        #expect(!ContentIDStem("e\u{301}").matches("\u{e9}"))
    }
}
