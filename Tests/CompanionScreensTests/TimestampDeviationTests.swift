// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import CompanionScreens

@Suite struct TimestampDeviationTests {
    private static let pictures = TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 30_000)

    private static func stamp(_ instant: Int64, _ contentTime: Int64?, _ speed: Double = 1) -> ControlTimestamp {
        ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: instant),
            movement: contentTime.map { ControlTimestamp.Movement(contentTime: $0, speed: speed) })
    }

    @Test(
        arguments: [
            (Self.stamp(0, 0), Self.stamp(1_000_000_000, 90_000), 0),
            (Self.stamp(0, 0), Self.stamp(1_000_000_000, 90_009), 100_000),
            (Self.stamp(0, 0), Self.stamp(-1_000_000_000, -90_009), -100_000),
            (Self.stamp(7, 5), Self.stamp(7, 6), 11_111),
            (Self.stamp(0, 0, 0), Self.stamp(5_000_000_000, 90), 1_000_000),
            (Self.stamp(0, 0, -2), Self.stamp(1_000_000_000, -180_000), 0), (Self.stamp(0, nil), Self.stamp(0, 1), nil),
            (Self.stamp(0, 1), Self.stamp(0, nil), nil), (Self.stamp(.min, 0), Self.stamp(.max, 0), nil),
            (Self.stamp(0, .min), Self.stamp(0, .max), nil), (Self.stamp(0, 0, 1_000), Self.stamp(.max, 0), nil),
        ] as [(ControlTimestamp, ControlTimestamp, Int64?)])
    func deviatesFromTheOther(held: ControlTimestamp, new: ControlTimestamp, nanoseconds: Int64?) {
        #expect(new.deviation(from: held, on: TimelineProperties(.mpeg))?.count == nanoseconds)
    }

    /// A day of 29.97 pictures a second: 2 589 410 of them and a part. In binary fractions of a second it would drift.
    @Test func isExactOverADay() {
        let day = Self.stamp(86_400_000_000_000, 2_589_410)
        let deviation = day.deviation(from: Self.stamp(0, 0), on: Self.pictures)
        #expect(deviation?.count == -19_666_667)
    }

    @Test(
        arguments: [
            (Self.stamp(0, 0), Self.stamp(1_000_000_000, 90_008), false),
            (Self.stamp(0, 0), Self.stamp(1_000_000_000, 90_009), true),
            (Self.stamp(5, 7), Self.stamp(5, 7), false), (Self.stamp(5, 7), Self.stamp(5, 7, 0), true),
            (Self.stamp(0, 0), Self.stamp(1_000_000_000, 90_000, 1.000001), true),
            (Self.stamp(0, nil), Self.stamp(9, nil), false),
            (Self.stamp(0, nil), Self.stamp(0, 0), true), (Self.stamp(0, 0), Self.stamp(0, nil), true),
            (Self.stamp(0, .min), Self.stamp(0, .max), true), (Self.stamp(.min, 0, 0), Self.stamp(.max, 0, 0), true),
        ] as [(ControlTimestamp, ControlTimestamp, Bool)])
    func whatIsSignificant(held: ControlTimestamp, new: ControlTimestamp, isSignificant: Bool) {
        #expect(
            new.isSignificant(after: held, on: TimelineProperties(.mpeg), least: .microseconds(100)) == isSignificant)
    }
}
