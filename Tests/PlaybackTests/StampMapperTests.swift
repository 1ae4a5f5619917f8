// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Timelines

@testable import Playback

@Suite struct StampMapperTests {
    private var mapper = StampMapper()
    private var clock = StreamCorrelation(offset: .seconds(100))

    /// A unit of an instant of the stream, which comes so long before that instant.
    private mutating func map(
        _ instant: Nanoseconds, early: Nanoseconds, shift: Nanoseconds = .zero
    ) -> StreamCorrelation {
        let stamp = UInt64(TickRate.mpeg.ticks(.seconds(1_000) + instant + shift)) & 0x1_FFFF_FFFF
        let arrival = Monotonic(nanoseconds: 0) + .seconds(1_100) + instant - early
        return mapper.mapping(of: stamp, by: clock, at: arrival)
    }

    private mutating func playUsual(_ count: Int64) {
        for unit in 0..<count { #expect(map(.milliseconds(unit * 40), early: .milliseconds(300)) == clock) }
    }

    /// `leaky2.ts`: the slack of the pictures swings between 0.15 and 1.64 s; others come up to 10 s early.
    @Test(arguments: [1_640, 5_000, 10_000] as [Int64]) mutating func earlyIsNoOtherTimeline(most: Int64) {
        for unit in 0..<500 as Range<Int64> {
            let early = Nanoseconds.milliseconds(150 + abs(unit % 100 - 50) * (most - 150) / 50)
            #expect(map(.milliseconds(unit * 40), early: early) == clock)
        }
    }

    /// All stamps jump: due when it comes, until the clock has followed.
    @Test(arguments: [-7_000, -900, 1_600, 5_000, 3_600_000] as [Int64]) mutating func aJumpIsBridged(by span: Int64) {
        let shift = Nanoseconds.milliseconds(span)
        playUsual(50)
        for unit in 50..<55 as Range<Int64> {
            let made = map(.milliseconds(unit * 40), early: .milliseconds(300), shift: shift)
            // The first one after the jump is due when it comes, and the others by its mapping.
            #expect((made.offset - (clock.offset - shift - .milliseconds(300))).magnitude < .milliseconds(1))
        }
        clock = StreamCorrelation(offset: clock.offset - shift)
        for unit in 55..<99 as Range<Int64> {
            #expect(map(.milliseconds(unit * 40), early: .milliseconds(300), shift: shift) == clock)
        }
    }

    /// What came before the clock was known is due by it once it is, and is corrected with it.
    @Test mutating func whatWaitedForTheClockJoinsIt() {
        let makeshift = mapper.mapping(of: 900_000, by: nil, at: Monotonic(nanoseconds: 0) + .seconds(1_100))
        #expect(makeshift != clock)
        mapper.clockBegan(at: Monotonic(nanoseconds: 0) + .seconds(1_100))
        #expect(!mapper.isOnTimeline)
        var isFirst = mapper.joinClock()
        #expect(isFirst && mapper.isOnTimeline)
        isFirst = mapper.joinClock()
        let next = map(.milliseconds(40), early: .milliseconds(300))
        #expect(!isFirst && next == clock && !mapper.hasChangedTimeline)
    }

    /// The references of another timeline come first: what is left of the one before is due by its clock, and what follows
    /// at once by the new one, not when it comes.
    @Test(arguments: [-7_000, -900, -550, 600, 1_600, 5_000, 3_600_000] as [Int64])
    mutating func aClockThatBeginsAnewIsFollowedAtOnce(by span: Int64) {
        let (shift, before) = (Nanoseconds.milliseconds(span), clock)
        playUsual(50)
        clock = StreamCorrelation(offset: before.offset - shift)
        mapper.clockBegan(at: Monotonic(nanoseconds: 0) + .seconds(1_100) + .milliseconds(50 * 40 - 300))
        for unit in 50..<53 as Range<Int64> {
            #expect(map(.milliseconds(unit * 40), early: .milliseconds(300 + unit % 2 * 20)) == before, "unit \(unit)")
            #expect(!mapper.isOnTimeline)
        }
        for unit in 53..<150 as Range<Int64> {
            let early = Nanoseconds.milliseconds(300 + unit % 3 * 20)
            #expect(map(.milliseconds(unit * 40), early: early, shift: shift) == clock, "unit \(unit)")
            #expect(mapper.isOnTimeline)
        }
    }

    /// The last unit of the old timeline is complete only when one of the new comes, seconds later.
    @Test(arguments: [-4_000, 4_000, 3_600_000] as [Int64])
    mutating func whatWaitedForItsEndIsOfTheTimelineBefore(span: Int64) {
        let (shift, before) = (Nanoseconds.milliseconds(span), clock)
        playUsual(50)
        clock = StreamCorrelation(offset: before.offset - shift)
        mapper.clockBegan(at: Monotonic(nanoseconds: 0) + .seconds(1_100) + .milliseconds(50 * 40 - 300))
        #expect(map(.milliseconds(50 * 40), early: .milliseconds(300 - 3_500)) == before)
        for unit in 140..<150 as Range<Int64> {
            #expect(map(.milliseconds(unit * 40), early: .milliseconds(300), shift: shift) == clock, "unit \(unit)")
        }
    }

    /// The references alone have jumped: the units go on by the clock before, until it is over that they could follow.
    @Test mutating func referencesOfAnotherTimelineAloneAreBelievedInTheEnd() {
        let before = clock
        playUsual(50)
        clock = StreamCorrelation(offset: before.offset + .seconds(2))
        mapper.clockBegan(at: Monotonic(nanoseconds: 0) + .seconds(1_100) + .milliseconds(50 * 40 - 300))
        let found = (50..<250 as Range<Int64>).map { map(.milliseconds($0 * 40), early: .milliseconds(300)) == before }
        #expect(found.filter { $0 }.count == 75 && found.prefix(75).allSatisfy { $0 })
    }

    /// One stamp is wrong: it alone is due when it comes.
    @Test(arguments: [-5_000, 5_000, 3_600_000] as [Int64]) mutating func aWrongStampCostsItself(by span: Int64) {
        for unit in 0..<100 as Range<Int64> {
            let isWrong = unit == 50
            let found = map(
                .milliseconds(unit * 40), early: .milliseconds(300), shift: isWrong ? .milliseconds(span) : .zero)
            #expect((found == clock) != isWrong, "unit \(unit)")
        }
    }

    /// Sound that is 1.5 s early from the beginning on, and that of another timeline altogether, are not cut to pieces.
    @Test mutating func soundOfItsOwnStaysTogether() {
        for unit in 0..<200 as Range<Int64> {
            #expect(map(.milliseconds(unit * 24), early: .milliseconds(1_500)) == clock)
        }
        var (other, mappings) = (StampMapperTests(), Set<Nanoseconds>())
        for unit in 0..<200 as Range<Int64> {
            let found = other.map(.milliseconds(unit * 24), early: .milliseconds(200), shift: .seconds(3_600))
            mappings.insert(found.offset)
        }
        #expect(mappings.count == 1)
    }

    /// The clock holds since something else came late: these units stay on it.
    @Test mutating func aHoldOfTheClockIsNoJump() {
        for unit in 0..<200 as Range<Int64> {
            if unit == 100 { clock = StreamCorrelation(offset: clock.offset + .milliseconds(2_500)) }
            #expect(map(.milliseconds(unit * 40), early: .milliseconds(300)) == clock)
        }
    }

    /// The network held everything for 3 s and lost a part of it.
    @Test mutating func aBurstWithALossIsNoJump() {
        playUsual(100)
        for unit in Array(100..<120 as Range<Int64>) + Array(160..<175) {
            let late = Nanoseconds.milliseconds((175 - unit) * 40)  // all at once
            #expect(map(.milliseconds(unit * 40), early: .milliseconds(300) - late) == clock, "unit \(unit)")
        }
    }

    /// Only this stream has jumped; after a while it is due by its stamps.
    @Test mutating func aJumpThatTheClockDoesNotFollowIsBelieved() {
        playUsual(50)
        var found: [Bool] = []
        for unit in 50..<250 as Range<Int64> {
            found.append(map(.milliseconds(unit * 40), early: .milliseconds(300), shift: .seconds(2)) == clock)
        }
        #expect(found.first == false && found.last == true && found.filter { !$0 }.count == 75)
    }
}
