// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time
import Timelines

@testable import Playback

/// Sound that comes before the first picture of a channel (`lead_a15` of `streams.md` 1).
@Suite struct HeldSoundTests {
    private static let unit = AudioUnit(codec: .aac, stream: 1, pts: nil, offset: .zero, epoch: 0)
    private static let clock = StreamCorrelation(offset: .seconds(100))

    private static func instant(_ milliseconds: Int64) -> Monotonic {
        Monotonic(nanoseconds: 100_000_000_000 + milliseconds * 1_000_000)
    }

    private func given(_ held: inout HeldSound, from milliseconds: Int64) -> [String] {
        var given: [String] = []
        held.give(from: Self.instant(milliseconds), by: Self.clock) { unit, time, bytes in
            let due = time.map { "\(($0 - Self.instant(0)).milliseconds)" } ?? "next"
            given.append("\(due):\(bytes.count)")
        }
        return given
    }

    /// - Parameter units: milliseconds of their time stamps, and octets.
    private func keep(_ units: [(time: Int64?, octets: Int)], in held: inout HeldSound) {
        for (time, octets) in units {
            let stamp = time.map { UInt64($0) * 90 }
            [UInt8](repeating: 1, count: octets).withUnsafeBytes {
                held.keep(Self.unit, stamp: stamp, at: Self.instant(0), $0)
            }
        }
    }

    @Test func whatIsHeardWithThePictureIsGiven() {
        var held = HeldSound()
        keep([(nil, 9), (980, 1), (nil, 8), (1_000, 2), (nil, 3), (1_020, 4)], in: &held)
        #expect(!held.isEmpty)
        #expect(given(&held, from: 1_000) == ["1000:2", "next:3", "1020:4"])
        #expect(held.isEmpty && given(&held, from: 0).isEmpty)
    }

    @Test func itIsBounded() {
        var held = HeldSound()
        keep((0..<100).map { (Int64($0), 10_000) }, in: &held)
        let rest = given(&held, from: 0)
        #expect(rest.count <= 26 && rest.last == "99:10000")
        keep([(0, 300_000)], in: &held)
        #expect(held.isEmpty)
    }
}
