// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Network

private let monotonic = Monotonic(nanoseconds: 1_000_000_000)
private let wall = WallTime(nanoseconds: 1_700_000_000_000_000_000)

private func later(_ time: WallTime, _ span: Nanoseconds) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds + span.count)
}

extension StampConverter {
    fileprivate mutating func pair(wall: WallTime, monotonic: Monotonic) {
        pair(wall: wall, between: monotonic, and: monotonic + Nanoseconds(80))
    }
}

@Test func convertsByThePair() {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    let stamp = later(wall, .milliseconds(-3))
    #expect(converter.convert(stamp, receivedAt: monotonic) == monotonic - .milliseconds(3))
}

/// "A stepped wall clock during play disturbs nothing": neither the batch in which the step is noticed nor those of other
/// sockets, which may hold datagrams with stamps from before the step and are read later.
@Test(arguments: [Int64(3_600_000), -3_600_000, 800, -800, 5, -5, 2])
func ignoresStampsAcrossAStep(milliseconds: Int64) {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    let step = Nanoseconds.milliseconds(milliseconds)
    for sinceStep in [Int64(20), 21, 60, 1_000] {
        let now = monotonic + .milliseconds(sinceStep)
        converter.pair(wall: later(wall, .milliseconds(sinceStep) + step), monotonic: now)
        for stamp in [later(wall, .milliseconds(19)), later(wall, .milliseconds(19) + step)] {
            #expect(converter.convert(stamp, receivedAt: now) == now)
        }
    }
    let after = monotonic + .milliseconds(1_040)
    converter.pair(wall: later(wall, .milliseconds(1_040) + step), monotonic: after)
    let stamp = later(wall, .milliseconds(1_039) + step)
    #expect(converter.convert(stamp, receivedAt: after) == after - .milliseconds(1))
}

/// A thread that is suspended between the two readings looks as if the clock had been stepped.
@Test func aSuspensionIsNoStep() {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    let now = monotonic + .milliseconds(20)
    converter.pair(wall: later(wall, .milliseconds(27)), between: now, and: now + .milliseconds(7))
    #expect(converter.convert(later(wall, .milliseconds(19)), receivedAt: now) == now)
    let after = monotonic + .milliseconds(40)
    converter.pair(wall: later(wall, .milliseconds(40)), monotonic: after)
    #expect(converter.convert(later(wall, .milliseconds(39)), receivedAt: after) == after - .milliseconds(1))
}

@Test func neverAnswersTheFuture() {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    #expect(converter.convert(later(wall, .milliseconds(1)), receivedAt: monotonic) == monotonic)
    #expect(converter.convert(later(wall, .seconds(-60)), receivedAt: monotonic) == monotonic)
}
