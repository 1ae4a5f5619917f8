// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Playback

/// Pictures of which some have no time stamp, as decoders output them (`streams.md` 9, `media.md` 6).
@Suite struct PresentationTimesTests {
    /// Two B pictures between the others, in the order in which they are sent; which of them have time stamps.
    @Test(
        arguments: [
            ("I", [0, 12, 24]), ("I and P", [0, 3, 6, 9, 12, 15, 18, 21, 24]), ("all", Array(0...26)),
            ("some", [0, 1, 6, 14, 15, 24]),
        ] as [(String, [Int64])])
    func comeInTheirOrder(name: String, stamped: [Int64]) {
        // I0 P3 B1 B2 P6 B4 B5 …; each third picture of the display is sent two places earlier.
        let groups: [[Int64]] = stride(from: Int64(3), through: 27, by: 3).map { [$0, $0 - 2, $0 - 1] }
        let sent: [Int64] = [0] + groups.flatMap { $0 }
        var (times, estimates, cadence) = (PresentationTimes(), [Int64: Int64](), PictureCadence())
        for place in sent {
            if stamped.contains(place) {
                cadence.stamped(place * 3_600)
                estimates[place] = place * 3_600
            } else if let estimate = cadence.unstamped() {
                times.sent(estimate: estimate)
                estimates[place] = estimate
            }
        }
        let shown = (Int64(0)...26).compactMap { place in estimates[place].map { times.time(ofPicture: $0) } }
        #expect(shown == (0...26).map { $0 * 3_600 }, "\(name)")
    }

    /// Pictures with both stamps are presented one picture after they are decoded, at the time that is the estimate of the
    /// next one.
    @Test(arguments: [[0, 12, 24], [0, 3, 6, 9, 12, 15, 18, 21, 24]] as [[Int64]])
    func areNotThoseOfOthers(stamped: [Int64]) {
        let groups: [[Int64]] = stride(from: Int64(3), through: 27, by: 3).map { [$0, $0 - 2, $0 - 1] }
        let sent: [Int64] = [0] + groups.flatMap { $0 }
        var (times, taken, cadence) = (PresentationTimes(), TakenTimes(), PictureCadence())
        var given: [Int64: Int64] = [:]
        for (number, place) in sent.enumerated() {
            if stamped.contains(place) {
                cadence.stamped(Int64(number) * 3_600)
                given[place] = (place + 1) * 3_600
                taken.take((place + 1) * 3_600)
            } else if let estimate = cadence.unstamped() {
                let free = taken.free(at: estimate)
                times.sent(estimate: free)
                given[place] = free
            }
        }
        #expect(Set(given.values).count == given.count)
        let shown = (Int64(0)...26).compactMap { place in given[place].map { times.time(ofPicture: $0) } }
        #expect(shown == (1...27).map { $0 * 3_600 })
    }

    /// A stream that is cut between a P picture and the B pictures before it, and goes on without time stamps: the step
    /// over those that are missing is not the time from one picture to the next.
    @Test func aGapIsNoCadence() {
        var (times, cadence) = (PresentationTimes(), PictureCadence())
        let before = [0, 1, 2, 3, 4, 7] as [Int64]
        for place in before {
            #expect(times.time(ofPicture: place * 3_600) == place * 3_600)
            cadence.stamped(place * 3_600)
        }
        let shown = (Int64(0)..<60).compactMap { _ in
            cadence.unstamped().map { estimate in
                times.sent(estimate: estimate)
                return times.time(ofPicture: estimate)
            }
        }
        #expect(shown == (8...67).map { $0 * 3_600 })
    }

    /// Another encoder may have another rate; until that is known, the rate of before is the best guess.
    @Test func aBreakBeginsTheCadenceAnew() {
        var cadence = PictureCadence()
        for number in 0..<10 as Range<Int64> { cadence.stamped(number * 1_800) }
        cadence.broke()
        let unknown = cadence.unstamped()
        #expect(unknown == nil && cadence.step == 1_800)
        for number in 0..<2 as Range<Int64> { cadence.stamped(90_000_000 + number * 3_600) }
        #expect(cadence.step == 3_600)
    }
}
