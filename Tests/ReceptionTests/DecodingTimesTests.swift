// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Reception

struct DecodingTimesTests {
    private static let frame: Int64 = 3_600
    /// Two groups as x264 sends them with three B pictures, one of them referred to: numbers by presentation.
    private static let reordered: [Int64] = [0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11]

    @Test func reorderedPicturesAreDecodedEvenly() {
        var times = DecodingTimes()
        times.told(depth: 2)
        let decoded = Self.reordered.map { times.next(pts: $0 * Self.frame + 1_000) }
        // Two pictures before the first is shown; of the first two it is not known how long before.
        let steady = decoded.dropFirst(2)
        #expect(Array(steady) == (0..<11).map { Int64($0) * Self.frame + 1_000 })
        #expect(decoded[0] < decoded[1] && decoded[1] < decoded[2])
    }

    @Test func whatNobodyToldShows() {
        var times = DecodingTimes()
        times.told(depth: 0)
        let many = (0..<20).flatMap { group in Self.reordered.dropFirst().map { $0 + Int64(group) * 12 } }
        let decoded = many.map { ($0, times.next(pts: $0 * Self.frame)) }
        #expect(times.depth == 2)
        #expect(decoded.allSatisfy { $0.1 <= $0.0 * Self.frame })
        let steady = decoded.suffix(100).map(\.1)
        #expect(zip(steady, steady.dropFirst()).allSatisfy { $1 - $0 == Self.frame })
    }

    @Test func withoutReorderingBothTimesAreOne() {
        var times = DecodingTimes()
        times.told(depth: 0)
        for pts in stride(from: Int64(0), to: 100_000, by: 1_800) { #expect(times.next(pts: pts) == pts) }
        #expect(times.depth == 0)
    }

    @Test func aLostPictureAndAJump() {
        var times = DecodingTimes()
        times.told(depth: 2)
        var decoded: [Int64] = []
        for (index, number) in Self.reordered.enumerated() where index != 6 {
            decoded.append(times.next(pts: number * Self.frame))
        }
        #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
        let jumped = times.next(pts: 1 << 40)
        #expect(jumped > 1 << 39 && jumped <= 1 << 40)
        #expect(times.next(pts: -(1 << 40)) <= -(1 << 40))
    }

    @Test func extremesDoNotTrap() {
        var times = DecodingTimes()
        for pts in [Int64.max, .min, 0, .max, .max, .min, .min + 1] { _ = times.next(pts: pts) }
        times.told(depth: 99)
        #expect(times.depth == DecodingTimes.mostReordered)
        for pts in [Int64.min, .max, .min, 0] { _ = times.next(pts: pts) }
    }
}
