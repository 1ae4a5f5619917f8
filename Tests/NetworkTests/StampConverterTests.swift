// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Network

private let monotonic = Monotonic(nanoseconds: 1_000_000_000)
private let wall = WallTime(nanoseconds: 1_700_000_000_000_000_000)

private func later(_ time: WallTime, _ span: Nanoseconds) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds + span.count)
}

@Test func convertsByThePair() {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    let stamp = later(wall, .milliseconds(-3))
    #expect(converter.convert(stamp, receivedAt: monotonic) == monotonic - .milliseconds(3))
}

/// "A stepped wall clock during play disturbs nothing": neither the batch of the step nor any after it.
@Test(arguments: [Int64(3_600_000), -3_600_000, 5, -5, 2]) func ignoresStampsAcrossAStep(milliseconds: Int64) {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    let step = Nanoseconds.milliseconds(milliseconds)
    let now = monotonic + .milliseconds(20)
    converter.pair(wall: later(wall, .milliseconds(20) + step), monotonic: now)
    for stamp in [later(wall, .milliseconds(19)), later(wall, .milliseconds(19) + step)] {
        #expect(converter.convert(stamp, receivedAt: now) == now)
    }
    let after = now + .milliseconds(20)
    converter.pair(wall: later(wall, .milliseconds(40) + step), monotonic: after)
    let stamp = later(wall, .milliseconds(39) + step)
    #expect(converter.convert(stamp, receivedAt: after) == after - .milliseconds(1))
}

@Test func neverAnswersTheFuture() {
    var converter = StampConverter()
    converter.pair(wall: wall, monotonic: monotonic)
    #expect(converter.convert(later(wall, .milliseconds(1)), receivedAt: monotonic) == monotonic)
    #expect(converter.convert(later(wall, .seconds(-60)), receivedAt: monotonic) == monotonic)
}
