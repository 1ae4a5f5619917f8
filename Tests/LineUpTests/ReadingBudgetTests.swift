// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Testing
import Time
import Venue

/// Announcements that come more often than they are read. Those that are repeated unchanged need not be read.
struct ReadingBudgetTests {
    /// Of one sender ten at once and five a second, of all thirty at once and ten a second.
    private static let limits = LineUpLimits(
        reading: RateLimit(atOnce: 10, perSecond: 5), readingOfAll: RateLimit(atOnce: 30, perSecond: 10),
        meteredSenders: 4)

    /// SDP of what is announced in JSON too.
    private static func twin(_ name: String, id: String) -> String {
        let attribute = "a=\(SessionDescription.twinAttribute):head-end/1\r\n"
        return Script.sdp(name, id: id).replacing("m=video", with: attribute + "m=video")
    }

    private static func sap(sdp: String) -> [UInt8] {
        SAPPacket.encoded(origin: Script.head, payloadType: .sessionDescription, payload: Array(sdp.utf8))
    }

    @Test func whatIsTooMuchIsCountedAndTold() {
        var script = Script(limits: Self.limits)
        for number in 1...100 { script.hear(Script.announcement(name: "Version \(number)")) }
        #expect(script.names == ["Version 10"])
        #expect(script.lineUp.counters.announcementsOverRate == 90 && script.lineUp.counters.faults == 90)
        #expect(script.lineUp.lastFault?.reason == .overRate(perSecond: 5))
        #expect(script.lineUp.lastFault?.isOfRate == true)
        // Five a second from then on.
        for number in 101...200 {
            script.now += .milliseconds(100)
            script.hear(Script.announcement(name: "Version \(number)"))
        }
        #expect(script.lineUp.counters.announcementsOverRate == 140)
        // Another sender is not concerned.
        script.hear(Script.announcement(2, streamer: "other"), from: Script.other)
        #expect(script.lineUp.channels.count == 2)
        // Who has been quiet may announce as many at once as before.
        script.wait(seconds: 2)
        for number in 1...10 { script.hear(Script.announcement(name: "Later \(number)")) }
        #expect(script.names.contains("Later 10") && script.lineUp.counters.announcementsOverRate == 140)
    }

    @Test func repetitionsAndDeletionsCostNothing() {
        var script = Script(limits: Self.limits)
        let sdp = Self.sap(sdp: Script.sdp())
        let twin = Self.sap(sdp: Self.twin("Twin", id: "78"))
        for _ in 0..<1_000 {
            script.hear(Script.announcement())
            script.hear(sdp)
            script.hear(twin)
        }
        let counters = script.lineUp.counters
        #expect(counters.announcementsReceived == 3_000 && counters.faults == 0 && counters.announcementsTwin == 1_000)
        #expect(script.names == ["Main", "Plain"])
        for number in 2...8 as ClosedRange<Int64> { script.hear(Script.announcement(number)) }
        script.hear(Script.announcement(9))
        #expect(script.lineUp.counters.announcementsOverRate == 1, "ten were read: three and seven")
        for number in 1...8 as ClosedRange<Int64> { script.hear(Script.announcement(number), deletes: true) }
        #expect(script.names == ["Plain"])
    }

    /// What cannot be read at all costs as much as a change, since it has to be looked into each time.
    @Test func rubbishIsReadAsSeldom() {
        var script = Script(limits: Self.limits)
        let rubbish = SAPPacket.encoded(
            origin: Script.head, payloadType: .announcement, payload: Array("{\"version\":1".utf8))
        for _ in 0..<50 { script.hear(rubbish) }
        #expect(script.lineUp.counters.invalidJsonAnnouncements == 10)
        #expect(script.lineUp.counters.announcementsOverRate == 40 && script.lineUp.counters.faults == 50)
    }

    /// Addresses are easily made up. All of them together are read no more often than the limit says, and a head-end that
    /// is known goes on to be read.
    @Test func allSendersTogetherAreBounded() {
        var script = Script(limits: Self.limits)
        script.hear(Script.announcement())
        for number in 1...1_000 as ClosedRange<UInt32> {
            let announcement = Script.announcement(1, name: "Flood \(number)", streamer: "flood-\(number)")
            script.hear(announcement, from: NumericAddress(v4: 0x0b00_0000 + number))
        }
        // Fifteen at once, of which one was the head-end's; the senders beyond the fourth share ten.
        let counters = script.lineUp.counters
        #expect(script.lineUp.channels.count == 14)
        #expect(counters.announcementsOverRate + counters.announcementsOverTotalRate == 987)
        script.hear(Script.announcement(name: "Changed"))
        #expect(script.names.contains("Changed"))
    }

    /// A head-end of 500 channels that starts, and once more a minute later with other sessions.
    @Test func aLargeHeadEndStartsUnhindered() {
        var script = Script()
        for start in 0..<2 {
            for number in 1...500 as ClosedRange<Int64> {
                script.hear(Script.announcement(number, name: "Channel \(number), start \(start)"))
                script.hear(sdp: Self.twin("Twin \(number) \(start)", id: "\(number)"))
            }
            script.wait(seconds: 10)
        }
        let counters = script.lineUp.counters
        #expect(script.lineUp.channels.count == 500 && counters.faults == 0 && counters.announcementsTwin == 1_000)
    }

    /// The same input gives the same output, also where much is left unread.
    @Test func arrivalsThatGoBackAreNoFault() {
        var script = Script(limits: Self.limits)
        for number in 0..<20 {
            script.now += .milliseconds(number % 2 == 0 ? 900 : -500)
            script.hear(Script.announcement(name: "\(number)"))
        }
        #expect(script.names == ["19"] && script.lineUp.counters.faults == 0)
    }
}
