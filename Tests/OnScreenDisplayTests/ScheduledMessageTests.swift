// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Timelines

@testable import OnScreenDisplay

/// A message for certain pictures is over when nobody can see them any more, however often their time stamps come again
/// (`sync.md` F9).
@Suite struct ScheduledMessageTests {
    private static let begin = Monotonic(nanoseconds: 1_000_000_000_000)
    /// Five seconds from now, for two seconds.
    private var message = ScheduledMessage(StampSpan(from: 100 * 90_000, for: .seconds(2)))

    /// - Parameters:
    ///   - second: since the message was said.
    ///   - stamp: what is at live then, in seconds; nil if no picture is shown.
    private mutating func isOver(
        at second: Int64, live stamp: Int64?, behind: Int64 = 0, session: Int = 1
    ) -> Bool {
        let look = stamp.map {
            ScheduledMessage.Look(
                session: session, stamp: ($0 - behind) * 90_000, behindLive: .seconds(behind), history: .seconds(30))
        }
        return message.isOver(look, at: Self.begin + .seconds(second))
    }

    /// - Parameter live: what is at live at each second.
    private mutating func stays(_ seconds: Range<Int64>, behind: Int64 = 0, live: (Int64) -> Int64) -> Bool {
        for second in seconds where isOver(at: second, live: live(second), behind: behind) { return false }
        return true
    }

    /// For as long as anybody can rewind to it, and no longer.
    @Test mutating func itIsOverWhenItCannotBeSeenAgain() {
        let (stays, isOver) = (stays(0..<47) { 95 + $0 }, isOver(at: 47, live: 142))
        #expect(stays && isOver)
    }

    @Test mutating func aMessageOfThePastCanBeRewoundTo() {
        let (stays, isOver) = (stays(0..<40) { 110 + $0 }, isOver(at: 40, live: 150))
        #expect(stays && isOver)
    }

    @Test mutating func nothingNeedsToBeShownAtTheEnd() {
        let are = [isOver(at: 0, live: 95), isOver(at: 46, live: nil), isOver(at: 47, live: nil)]
        #expect(are == [false, false, true])
    }

    /// Whoever rewinds, pauses or tunes away and back leaves the timeline as it is.
    @Test mutating func aViewerMayGoBackToIt() {
        let stay = [stays(0..<10) { 95 + $0 }, stays(10..<20, behind: 10) { 95 + $0 }, stays(20..<30) { 95 + $0 }]
        let away = [isOver(at: 30, live: 7, session: 2), isOver(at: 31, live: 126, session: 3)]
        #expect(stay == [true, true, true] && away == [false, false])
    }

    /// An encoder or a film that begins anew, once the message was due.
    @Test(arguments: [95, 0, 99, 94_000] as [Int64]) mutating func stampsThatJumpEndIt(to stamp: Int64) {
        let (stays, isDoubtful) = (stays(0..<10) { 95 + $0 }, !isOver(at: 10, live: stamp))
        let isOver = isOver(at: 11, live: stamp + 1)
        #expect(stays && isDoubtful && isOver)
    }

    /// While somebody rewinds, the position is told before its picture is shown.
    @Test mutating func aSingleLookProvesNothing() {
        let stay = [
            stays(0..<10) { 95 + $0 }, !isOver(at: 10, live: 112), stays(11..<13, behind: 7) { 95 + $0 },
            !isOver(at: 13, live: 70), !isOver(at: 14, live: 90), stays(15..<20) { 95 + $0 },
        ]
        #expect(stay == [true, true, true, true, true, true])
    }

    /// Before it was due, a jump may be what leads to its pictures.
    @Test mutating func aJumpToItsPicturesDoesNotEndIt() {
        let stay = [stays(0..<3) { 20 + $0 }, stays(3..<9) { 96 + $0 }]
        #expect(stay == [true, true])
    }

    /// Without a picture of a channel nobody knows when.
    @Test mutating func withoutAChannelItWaits() {
        let are = [isOver(at: 0, live: nil), isOver(at: 100_000, live: nil)]
        #expect(are == [false, false])
    }
}
