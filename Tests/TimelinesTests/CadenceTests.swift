// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

/// A stream on a display: its rate, the display's, the pattern, and the vblanks more than it has in 10 000 pictures.
struct CadenceCase: Sendable, CustomTestStringConvertible {
    let content: (frames: Int64, seconds: Int64)
    let display: (frames: Int64, seconds: Int64)
    let pattern: String

    var testDescription: String { "\(content.frames)/\(content.seconds) on \(display.frames)/\(display.seconds)" }

    init(_ content: (Int64, Int64), _ display: (Int64, Int64), _ pattern: String) {
        self.content = content
        self.display = display
        self.pattern = pattern
    }

    static let all: [CadenceCase] = [
        CadenceCase((24, 1), (60, 1), "3:2"), CadenceCase((24_000, 1_001), (60, 1), "3:2"),
        CadenceCase((24_000, 1_001), (60_000, 1_001), "3:2"), CadenceCase((25, 1), (60, 1), "2:3:2:3:2"),
        CadenceCase((30, 1), (60, 1), "2:2"), CadenceCase((30_000, 1_001), (60, 1), "2:2"),
        CadenceCase((50, 1), (60, 1), "1:1:2:1:1"), CadenceCase((60_000, 1_001), (60, 1), "1:1"),
        CadenceCase((60, 1), (60, 1), "1:1"), CadenceCase((60, 1), (60_000, 1_001), "1:1"),
        CadenceCase((24, 1), (50, 1), "25/12"), CadenceCase((24_000, 1_001), (50, 1), "25/12"),
        CadenceCase((25, 1), (50, 1), "2:2"), CadenceCase((30, 1), (50, 1), "2:1:2"),
        CadenceCase((50, 1), (50, 1), "1:1"), CadenceCase((60_000, 1_001), (50, 1), "1:1:1:0:1:1"),
        CadenceCase((60, 1), (50, 1), "1:1:1:0:1:1"),
    ]
}

@Suite struct CadenceTests {
    private static let count = Effort.scaled(10_000)

    /// Issue 6, "Shows 3".
    @Test(arguments: CadenceCase.all, [-100, 0, 100] as [Int64])
    func isExpected(of item: CadenceCase, drift: Int64) throws {
        let screen = SimulatedDisplay(
            frames: item.display.frames, seconds: item.display.seconds, driftPPM: drift)
        var course = CadenceCourse(screen, item.content, seed: UInt64(bitPattern: drift))
        course.run(60)
        let pattern = try #require(course.cadence.pattern)
        #expect(pattern.description == item.pattern)
        course.forget()
        course.run(Self.count)
        #expect(course.cadence.pattern == pattern)
        // Of vblanks in all pictures' time, and by the pattern.
        let (display, content) = (item.display, item.content)
        let ratio = Double(display.frames * content.seconds) / Double(display.seconds * content.frames)
        let slots = ratio * (1 + Double(drift) / 1e6) * Double(pattern.pictures)
        let more = (slots - Double(pattern.vblanks)) * Double(Self.count)
        #expect(abs(Double(course.shifts) - more) <= 2)
        #expect(course.turns == 0, "a pattern that moves to and fro")
        #expect(course.worstSpan <= (course.shifts == 0 ? 0 : 1))
        // No two of them within half of the time that the drift takes.
        if abs(more) > 2 { #expect(Double(course.nearest) > Double(Self.count) / abs(more) / 2) }
        #expect(course.worst < screen.nominal * 66 / 100, "visible within two thirds of a vblank's time")
        #expect(course.worst < 20_000_000)
    }

    /// Dues on the edge between two vblanks, off it by 1 ms either way by chance: always to the same side.
    @Test(arguments: Effort.seeds(20)) func doesNotDither(seed: UInt64) {
        let display = SimulatedDisplay(frames: 50)
        var course = CadenceCourse(display, (25, 1), seed: seed)
        course.offset = display.nominal / 2 + Int64(seed % 3) * 500_000 - 500_000
        course.jitter = 900_000
        course.run(60)
        course.forget()
        course.run(5_000)
        #expect(course.turns == 0 && abs(course.shifts) <= 1)
    }

    /// Of displays that show the same each is within half a vblank, so that two of them differ by one at most; and none
    /// goes to and fro.
    @Test(arguments: [((25, 1), 50), ((25, 1), 60), ((50, 1), 50), ((30, 1), 60)] as [((Int64, Int64), Int64)])
    func sharedPicturesAreWithinHalfAVBlank(content: (Int64, Int64), refresh: Int64) {
        for seed in Effort.seeds(10) {
            let display = SimulatedDisplay(frames: refresh, driftPPM: Int64(seed) * 20 - 110)
            var course = CadenceCourse(display, content, seed: seed)
            course.cadence.isShared = true
            course.offset = display.nominal / 10 * Int64(seed % 10)
            course.jitter = 50_000
            course.run(60)
            course.forget()
            course.run(Self.count)
            #expect(course.worst <= display.nominal / 2 + 450_000, "seed \(seed): \(course.worst) ns")
            #expect(course.turns == 0)
        }
    }

    /// Stamps rounded to milliseconds are of the rate that they are of.
    @Test(
        arguments: [(24, 60, "3:2"), (30, 60, "2:2"), (60, 60, "1:1"), (24, 50, "25/12")] as [(Int64, Int64, String)])
    func knowsRoundedStamps(rate: Int64, refresh: Int64, pattern: String) {
        var course = CadenceCourse(SimulatedDisplay(frames: refresh), (rate, 1), seed: 1)
        course.rounding = 1_000_000
        course.run(10)
        #expect(course.cadence.pattern?.description == pattern)
        course.forget()
        course.run(3_000)
        #expect(course.cadence.pattern?.description == pattern && course.shifts.magnitude <= 1)
    }

    /// A stream that begins to have another rate, and one of which a picture is missing.
    @Test func followsTheStream() {
        let display = SimulatedDisplay(frames: 60)
        var course = CadenceCourse(display, (24, 1), seed: 1)
        course.run(100)
        course.skip(3)
        course.run(1)
        #expect(course.last?.isAnew == true)
        course.run(5)
        #expect(course.last?.isAnew == false && course.cadence.pattern?.description == "3:2")
        course.content = (50, 1)
        course.run(3)
        #expect(course.cadence.pattern?.description == "1:1:2:1:1")
        #expect(course.worst < display.nominal * 2 / 3)
    }

    @Test func patternsAreTotal() {
        for span in [Int64.min, -1, 0, 1, 1_000_000, 16_666_667, 1 << 40, .max] {
            for vblank in [Int64.min, 0, 1, 8_333_333, .max] {
                let pattern = CadencePattern(picture: Nanoseconds(span), vblank: Nanoseconds(vblank), doubt: 2_000)
                #expect(pattern.vblanks >= 1 && (1...16).contains(pattern.pictures))
                _ = pattern.fits(picture: Nanoseconds(span), vblank: Nanoseconds(vblank))
            }
        }
        for pictures in 1...16 as ClosedRange<Int64> {
            let pattern = CadencePattern(picture: .milliseconds(40) / pictures, vblank: .milliseconds(20))
            for slot in -100...100 as ClosedRange<Int64> {
                #expect(pattern.slot(nearest: pattern.position(ofSlot: slot)) == slot)
                let vblank = pattern.vblank(ofSlot: slot)
                #expect(abs(vblank * VBlankClock.parts - pattern.position(ofSlot: slot)) <= VBlankClock.parts / 2)
            }
        }
    }
}

/// Pictures of a stream, one after the other, and what a cadence makes of them.
struct CadenceCourse {
    var cadence = Cadence()
    var content: (frames: Int64, seconds: Int64)
    /// Of the dues against the display, nanoseconds.
    var offset: Int64 = 0
    var jitter: Int64 = 0
    var rounding: Int64 = 1
    private(set) var last: Cadence.Place?
    /// Vblanks more than the pattern's slots, and how often they went back.
    private(set) var shifts: Int64 = 0
    private(set) var turns = 0
    /// Vblanks that a picture's span was off the two that the pattern has.
    private(set) var worstSpan: Int64 = 0
    /// Nanoseconds between due and visible.
    private(set) var worst: Int64 = 0
    /// Pictures between two shifts.
    private(set) var nearest = Int.max
    private let display: SimulatedDisplay
    private var clock = VBlankClock()
    private var random: SplitMix64
    private var due: (whole: Int64, rest: Int64)
    private var lastShift: Int64 = 0
    private var since = Int.max / 2

    init(_ display: SimulatedDisplay, _ content: (Int64, Int64), seed: UInt64) {
        self.display = display
        self.content = content
        random = SplitMix64(seed: seed)
        clock.setNominal(Nanoseconds(display.nominal))
        for vblank in -300..<0 as Range<Int64> { clock.flipped(at: Monotonic(nanoseconds: display.time(of: vblank))) }
        due = (display.start, 0)
    }

    mutating func forget() { (shifts, turns, worstSpan, worst, nearest, since) = (0, 0, 0, 0, .max, .max / 2) }

    mutating func skip(_ pictures: Int) { for _ in 0..<pictures { next() } }

    private mutating func next() {
        let nanoseconds = 1_000_000_000 * content.seconds + due.rest
        due = (due.whole + nanoseconds / content.frames, nanoseconds % content.frames)
    }

    mutating func run(_ pictures: Int) {
        for _ in 0..<pictures { show() }
    }

    private mutating func show() {
        let time = Monotonic(nanoseconds: due.whole / rounding * rounding)
        let noise = jitter == 0 ? 0 : Int64.random(in: -jitter...jitter, using: &random)
        let visible = time + Nanoseconds(offset + noise)
        let place = cadence.place(time, due: visible, on: clock)
        cadence.take(place, time, due: visible, on: clock)
        // The clock's numbers are its own.
        let real = display.vblank(nearest: clock.time(of: place.vblank).nanoseconds)
        clock.flipped(at: Monotonic(nanoseconds: display.time(of: real)))
        worst = max(worst, abs(display.time(of: real) - visible.nanoseconds))
        if let last, !place.isAnew, let pattern = cadence.pattern {
            let span = place.vblank - last.vblank
            let (least, rest) = pattern.vblanks.quotientAndRemainder(dividingBy: pattern.pictures)
            worstSpan = max(worstSpan, least - span, span - least - (rest > 0 ? 1 : 0))
        }
        if place.shift != 0 {
            if place.shift == -lastShift { turns += 1 }
            lastShift = place.shift
            nearest = min(nearest, since)
            since = 0
        }
        shifts += place.shift
        since += 1
        last = place
        next()
    }
}
