// SPDX-License-Identifier: Apache-2.0
import LineUp
import TestSupport
import Testing
import Time
import Venue

/// Who has which logical number.
struct ChannelNumbersTests {
    private static func numbers(_ script: Script) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: script.lineUp.listed.map { ($0.id.text, $0.number) })
    }

    @Test func theSessionNumberIsTheNumber() {
        var script = Script()
        for number: Int64 in [1, 7, 9_999] { script.hear(Script.announcement(number, name: "\(number)")) }
        #expect(script.lineUp.listed.map(\.number) == [1, 7, 9_999])
        #expect(script.lineUp.listed.allSatisfy { $0.origin == .announcement && !$0.isHidden && !$0.isFavourite })
    }

    /// Whoever has none that can be typed gets one from 900 on: SDP of a large session id, session 0, settings.
    @Test func othersAreGivenOne() {
        var script = Script(settings: Script.settings("{}", channels: ["B", "A"]))
        script.hear(sdp: Script.sdp("VLC", id: "17140000000000000000"))
        script.hear(Script.announcement(0, name: "Zero"))
        #expect(
            Dictionary(uniqueKeysWithValues: script.lineUp.listed.map { ($0.name, $0.number) }) == [
                "A": 900, "B": 901, "VLC": 902, "Zero": 903,
            ])
    }

    /// All boxes agree, whoever was heard first.
    @Test(arguments: [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]])
    func theLowerStreamerHasTheNumber(order: [String]) {
        var script = Script()
        var changes: [LineUpChange] = []
        for streamer in order { changes += script.hear(Script.announcement(5, streamer: streamer)) }
        let numbers = Self.numbers(script)
        #expect(numbers["a/5"] == 5)
        #expect(Set(numbers.values) == [5, 900, 901])
        // Whoever loses is told before the winner: nobody sees one number twice.
        var told: [Channel.ID: Int] = [:]
        for change in changes {
            switch change {
            case .channelAdded(let entry), .channelChanged(let entry, _): told[entry.id] = entry.number
            default: continue
            }
            #expect(Set(told.values).count == told.count)
        }
    }

    @Test func aConflictIsDecidedOnce() {
        var script = Script()
        script.hear(Script.announcement(5, streamer: "b"))
        let changes = script.hear(Script.announcement(5, name: "Other", streamer: "a"), from: Script.other)
        #expect(changes.count == 3)  // the streamer, the loser, the winner
        script.hear(Script.announcement(5, name: "Other", streamer: "a"), from: Script.other, deletes: true)
        #expect(Self.numbers(script) == ["b/5": 900])
        // Its content changes, its number does not.
        script.hear(Script.announcement(5, name: "New", streamer: "b"))
        #expect(Self.numbers(script) == ["b/5": 900])
        script.hear(Script.announcement(5, name: "Other", streamer: "a"), from: Script.other)
        #expect(Self.numbers(script) == ["a/5": 5, "b/5": 900])
        // Settings judge anew.
        script.hear(Script.announcement(5, name: "Other", streamer: "a"), from: Script.other, deletes: true)
        #expect(script.lineUp.apply(LineUpSettings(fieldOfUse: Script.license)).count == 1)
        #expect(Self.numbers(script) == ["b/5": 5])
    }

    @Test func aClaimPrevailsOverASubstitute() {
        var script = Script()
        script.hear(Script.announcement(0, streamer: "a"))
        #expect(Self.numbers(script) == ["a/0": 900])
        script.hear(Script.announcement(900, name: "Other", streamer: "z"), from: Script.other)
        #expect(Self.numbers(script) == ["a/0": 901, "z/900": 900])
    }

    @Test func aFreedSubstituteIsGivenAgain() {
        var script = Script()
        for streamer in ["a", "b", "c"] { script.hear(Script.announcement(0, streamer: streamer)) }
        script.hear(Script.announcement(0, streamer: "b"), deletes: true)
        #expect(Self.numbers(script) == ["a/0": 900, "c/0": 902])
        script.hear(Script.announcement(0, streamer: "d"))
        #expect(Self.numbers(script) == ["a/0": 900, "c/0": 902, "d/0": 901])
    }

    @Test func settingsPrevailOverAnnouncements() {
        var script = Script()
        script.hear(Script.announcement(5, streamer: "a"))
        script.hear(Script.announcement(6, name: "Six", streamer: "a"))
        let changes = script.lineUp.apply(Script.settings(#"{"channels":[{"channel":"Six","number":5}]}"#))
        #expect(changes.count == 2)
        #expect(Self.numbers(script) == ["a/5": 900, "a/6": 5])
    }

    /// Without a change of what concerns them, channels keep their numbers over a change of settings.
    @Test func substitutesSurviveSettings() {
        var script = Script()
        for streamer in ["c", "b", "a"] { script.hear(Script.announcement(0, streamer: streamer)) }
        let changes = script.lineUp.apply(Script.settings("{}", channels: ["New"]))
        #expect(changes.count == 1)
        #expect(Self.numbers(script) == ["c/0": 900, "b/0": 901, "a/0": 902, "settings:New": 903])
    }

    /// Never two with one number, whatever comes and goes, and the same numbers for the same input.
    @Test(arguments: Effort.seeds(30)) func neverTwoOfOneNumber(seed: UInt64) {
        func play() -> [ListedChannel] {
            var random = SplitMix64(seed: seed)
            var script = Script(settings: Script.settings("{}", channels: ["A", "B"]))
            for _ in 0..<200 {
                let streamer = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
                let number = [0, 1, 2, 900, 901][Int.random(in: 0..<5, using: &random)]
                script.hear(
                    Script.announcement(Int64(number), streamer: streamer),
                    deletes: Int.random(in: 0..<3, using: &random) == 0)
                if Int.random(in: 0..<40, using: &random) == 0 {
                    let number = Int.random(in: 1...3, using: &random)
                    _ = script.lineUp.apply(
                        Script.settings(
                            #"{"channels":[{"channel":"a/1","number":\#(number)}]}"#, channels: ["A"]))
                }
                let listed = script.lineUp.listed
                #expect(Set(listed.map(\.number)).count == listed.count)
                #expect(listed.map(\.number) == listed.map(\.number).sorted())
            }
            return script.lineUp.listed
        }
        #expect(play() == play())
    }
}
