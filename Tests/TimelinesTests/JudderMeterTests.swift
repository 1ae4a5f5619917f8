// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct JudderMeterTests {
    /// Of pictures in their order, on a display of 50 Hz.
    private static func places(_ count: Int64, of rate: Int64) -> [Cadence.Place] {
        let display = SimulatedDisplay(frames: 50)
        var clock = VBlankClock()
        clock.setNominal(Nanoseconds(display.nominal))
        for vblank in -20...0 as ClosedRange<Int64> {
            clock.flipped(at: Monotonic(nanoseconds: display.time(of: vblank)))
        }
        var cadence = Cadence()
        return (0..<count).map { index in
            let due = Monotonic(nanoseconds: display.start + 1_000_000_000 * index / rate)
            let place = cadence.place(due, due: due, on: clock)
            cadence.take(place, due, due: due, on: clock)
            return place
        }
    }

    /// - Parameters:
    ///   - late: by how many vblanks, of some.
    ///   - leftOut: those that came too late for any.
    private func judder(_ places: [Cadence.Place], late: [Int: Int64] = [:], leftOut: Set<Int> = []) -> Int64 {
        var meter = JudderMeter()
        var count: Int64 = 0
        for (index, place) in places.enumerated() {
            if leftOut.contains(index) {
                count += meter.leftOut(place, isLate: true)
            } else if index + 1 < places.count, places[index + 1].vblank == place.vblank {
                count += meter.leftOut(place, isLate: false)
            } else {
                count += meter.shown(place, at: place.vblank + (late[index] ?? 0))
            }
        }
        return count
    }

    @Test(arguments: [24, 25, 30, 50, 60] as [Int64]) func thereIsNoneOfThePattern(rate: Int64) {
        #expect(judder(Self.places(1_000, of: rate)) == 0)
    }

    @Test func aLatePictureIsTwo() {
        let places = Self.places(100, of: 25)
        #expect(judder(places, late: [50: 1]) == 2, "the one before is there longer, and it shorter")
        #expect(judder(places, late: [50: 1, 51: 1, 52: 1]) == 2)
        #expect(judder(places, leftOut: [50]) == 2)
        #expect(judder(places, leftOut: [50, 51, 70]) == 5)
        #expect(judder(places, late: [99: 1]) == 1, "of the last nothing is known yet")
    }

    @Test func whatBeginsAnewIsNone() {
        var meter = JudderMeter()
        var count: Int64 = 0
        for (index, place) in Self.places(100, of: 25).enumerated() {
            if index == 50 { meter.reset() }
            count += meter.shown(place, at: place.vblank + (index < 50 ? 0 : 3))
        }
        #expect(count == 0)
    }
}
