// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Testing
import Time
import Venue

/// How long a silent channel stays.
struct LineUpPruningTests {
    /// Seconds from the last announcement until the channel goes.
    private func silence(_ script: inout Script) -> Int? {
        (1...2_000).first { _ in !script.wait(seconds: 1).isEmpty }
    }

    @Test(arguments: [(1, 15), (5, 15), (7, 21), (60, 180)])
    func threeObservedIntervals(interval: Int, patience: Int) {
        var script = Script()
        for _ in 0..<9 {
            script.hear(Script.announcement(interval: .seconds(600)))
            script.wait(seconds: interval - 1)
            script.now += .seconds(1)
        }
        script.hear(Script.announcement(interval: .seconds(600)))
        #expect(silence(&script) == patience)
        #expect(script.lineUp.counters.channelsPruned == script.lineUp.counters.channelsAdded)
        #expect(script.lineUp.streamers.isEmpty)
    }

    @Test(arguments: [(Nanoseconds.milliseconds(500), 15), (.seconds(5), 15), (.seconds(30), 90)])
    func announcedIntervalUntilOneIsObserved(interval: Nanoseconds, patience: Int) {
        var script = Script()
        script.hear(Script.announcement(interval: interval))
        #expect(silence(&script) == patience)
    }

    @Test func plainSAPHeardOnceHasThePatienceOfRFC2974() {
        var script = Script()
        script.hear(sdp: Script.sdp())
        #expect(silence(&script) == 900)
    }

    /// Groups 224.2.127.254 and 239.255.255.255 both joined: the gaps of 0 must not make the interval 0.
    @Test func twoWaysAreOneAnnouncement() {
        var script = Script()
        for _ in 0..<6 {
            script.hear(Script.announcement())
            script.now += .milliseconds(3)
            script.hear(Script.announcement())
            script.now += .milliseconds(29_997)
        }
        script.hear(Script.announcement())
        #expect(silence(&script) == 90)
    }

    /// A channel that is received is there, whoever announces it; when its media end too it has the same patience again.
    @Test func whatIsReceivedIsNotSilent() {
        var script = Script()
        script.hear(Script.announcement(interval: .seconds(5)))
        let id = script.lineUp.channels[0].id
        for _ in 0..<300 {
            script.now += .seconds(1)
            #expect(script.lineUp.tick(now: script.now, received: [id: script.now]).isEmpty)
        }
        let ended = script.now
        let left = (1...100).first { _ in
            script.now += .seconds(1)
            return !script.lineUp.tick(now: script.now, received: [id: ended]).isEmpty
        }
        #expect(left == 15)
    }

    /// A head-end whose address changes while its channel is received goes on with the channel, as soon as the old
    /// announcements are missed.
    @Test func whatIsReceivedMayComeFromAnotherAddress() {
        var script = Script()
        for _ in 0..<3 {
            script.hear(Script.announcement())
            script.wait(seconds: 5)
        }
        let id = script.lineUp.channels[0].id
        #expect(script.hear(Script.announcement(name: "Mine"), from: Script.other) == [])
        #expect(script.lineUp.counters.announcementsConflicting == 1)
        for _ in 0..<20 {
            script.now += .seconds(1)
            #expect(script.lineUp.tick(now: script.now, received: [id: script.now]).isEmpty)
        }
        let changes = script.hear(Script.announcement(name: "Moved"), from: Script.other).filter { $0.channel == nil }
        #expect(changes.count == 1 && script.lineUp.streamers.map(\.address) == [Script.other.description])
        #expect(script.lineUp.channels.map(\.id) == [id])
        #expect(script.hear(Script.announcement(name: "Mine")) == [], "the old address has lost it")
        #expect(script.lineUp.counters.announcementsConflicting == 2)
        #expect(silence(&script) == 15)
    }

    @Test func lossOfTwoInARowIsNoReason() {
        var script = Script()
        for _ in 0..<20 {
            script.hear(Script.announcement(interval: .seconds(10)))
            #expect(script.wait(seconds: 29) == [])
        }
        #expect(script.lineUp.counters.channelsPruned == 0)
    }

    @Test func channelsGoInTheOrderOfTheList() {
        var script = Script()
        for number in [3, 1, 2] { script.hear(Script.announcement(Int64(number), name: "\(number)")) }
        let changes = script.wait(seconds: 15)
        let numbers = changes.compactMap { change -> Int64? in
            if case .channelRemoved(let entry, .pruned) = change { entry.channel?.sessionNumber } else { nil }
        }
        #expect(numbers == [1, 2, 3] && changes.count == 4)
    }

    @Test func settingsSayHowPatient() {
        var settings = LineUpSettings(fieldOfUse: Script.license)
        settings.missedIntervals = 2
        settings.pruneMinimum = .seconds(3)
        var script = Script(settings: settings)
        script.hear(Script.announcement(interval: .seconds(4)))
        #expect(silence(&script) == 8)
    }
}
