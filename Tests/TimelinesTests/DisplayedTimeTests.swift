// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Timelines

/// By what the time goes that people see, second by second of a box that knows no time.
struct DisplayedTimeTests {
    private static let start = Monotonic(nanoseconds: 5_000_000_000)
    /// 2027-01-15T08:00:00Z.
    private static let utc = WallTime(nanoseconds: 1_800_000_000_000_000_000)
    /// The box was last on a month before.
    private static let wall = WallTime(nanoseconds: utc.nanoseconds - 30 * 86_400_000_000_000)

    private var time = DisplayedTime()

    private func at(_ seconds: Int64) -> Monotonic { Self.start + .seconds(seconds) }

    private mutating func hear(_ utc: WallTime = utc, at seconds: Int64 = 0, wall: WallTime = wall) {
        time.hear(StreamTime(utc: utc, arrival: at(seconds)), at: at(seconds), wall: wall)
    }

    private mutating func observe(isSynchronised: Bool = false, at seconds: Int64) {
        time.observe(isClockSynchronised: isSynchronised, at: at(seconds))
    }

    @Test mutating func theStreamsTimeGoesOn() {
        #expect(time.source == .clock && time.stream == nil)
        observe(at: 0)
        hear()
        observe(at: 3_600)
        #expect(time.source == .stream)
        #expect(time.stream?.time(at: at(90)).description == "2027-01-15T08:01:30.000Z")
    }

    /// Once the clock was set it is believed for ever, also when the kernel later has to do without its source.
    @Test mutating func theClockIsBetter() {
        hear()
        observe(isSynchronised: true, at: 10)
        #expect(time.source == .clock)
        observe(isSynchronised: false, at: 20)
        hear(at: 21)
        #expect(time.source == .clock)
    }

    /// A stream that is left is believed until another says something else, for a minute.
    @Test mutating func otherStreams() {
        hear()
        time.left(at: at(100))
        observe(at: 159)
        #expect(time.source == .stream)
        observe(at: 160)
        #expect(time.source == .clock)
        hear()
        time.left(at: at(200))
        let later = WallTime(nanoseconds: Self.utc.nanoseconds + 7_200_000_000_000)
        hear(later, at: 230)
        observe(at: 400)
        #expect(time.stream?.utc == later)
    }

    /// Recordings, head-ends without a clock, and times that nobody lives to see.
    @Test mutating func whatCannotBe() {
        let recorded = WallTime(nanoseconds: Self.wall.nanoseconds - 86_401_000_000_000)
        for utc in [recorded, WallTime(nanoseconds: 0), DisplayedTime.latest] {
            hear(utc)
            #expect(time.source == .clock, "\(utc)")
        }
        // A box whose clock begins in 1970 takes no recording of before this release either.
        let epoch = WallTime(nanoseconds: 0)
        hear(WallTime(nanoseconds: DisplayedTime.earliest.nanoseconds - 1_000_000_000), wall: epoch)
        #expect(time.source == .clock)
        hear(DisplayedTime.earliest, wall: epoch)
        #expect(time.source == .stream)
        hear(recorded)
        #expect(time.stream?.utc == DisplayedTime.earliest, "what cannot be changes nothing")
    }
}
