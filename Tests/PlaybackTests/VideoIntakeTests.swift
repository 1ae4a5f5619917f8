// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Testing
import Time
import Timelines

@testable import Playback

struct VideoIntakeTests {
    private static let sets: [UInt8] = [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0, 0, 0, 1, 0x68, 0xCE, 0x0F, 0xC8]
    private static let slice: [UInt8] = [0, 0, 0, 1, 0x41, 0x9A, 0x55]

    private static func unit(bringsParameterSets: Bool) -> AccessUnit {
        AccessUnit(pts: 0, dts: 0, isRandomAccess: false, isDamaged: false, bringsParameterSets: bringsParameterSets)
    }

    /// Decoding begins two seconds behind the only picture that had them.
    @Test func theDecoderHasTheParameterSetsOfSkippedUnits() {
        let pictures = CodedPictures(filled: Wakeup(), drained: Wakeup())
        var intake = VideoIntake(pictures)
        intake.begin(.h264)
        var outcomes: [VideoIntake.Outcome] = []
        for number in 0..<52 as Range<Int64> {
            let bytes = number == 0 ? Self.sets + Self.slice : Self.slice
            let now = Monotonic(nanoseconds: number * 40_000_000)
            bytes.withUnsafeBytes {
                outcomes.append(
                    intake.put(
                        Self.unit(bringsParameterSets: number == 0), StreamCorrelation(offset: .zero), epoch: 0,
                        at: now, $0))
            }
        }
        #expect(outcomes == [VideoIntake.Outcome](repeating: .skipped, count: 50) + [.taken, .taken])
        var taken: [[UInt8]] = []
        var areBrought: [Bool] = []
        while pictures.take({ entry, bytes in
            taken.append(Array(bytes))
            areBrought.append(entry.unit.bringsParameterSets)
        }) {}
        #expect(taken == [Self.sets + Self.slice, Self.slice] && areBrought == [true, false])
    }
}
