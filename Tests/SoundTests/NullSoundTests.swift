// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Sound

@Suite struct NullSoundTests {
    private let clock = ManualClock()
    private let block = [Float](repeating: 0, count: 960)

    private func write(_ sound: NullSound) { block.withUnsafeBufferPointer { sound.write($0) } }

    @Test func itTakesSoundAtItsPace() {
        let sound = NullSound(clock: clock)
        let begin = clock.now()
        let first = sound.nextAudible()
        for index in 1...1_000 {
            write(sound)
            #expect(sound.nextAudible() - first == Nanoseconds.milliseconds(Int64(index) * 10))
        }
        #expect(clock.now() - begin == .seconds(10))
        #expect(first - begin == PacedTimeline.lead)
    }

    @Test func whoIsABitLateCatchesUp() {
        let sound = NullSound(clock: clock)
        let first = sound.nextAudible()
        clock.pass(.milliseconds(500))
        write(sound)
        #expect(sound.nextAudible() - first == .milliseconds(10))
        #expect(sound.underruns == 0)
    }

    @Test func afterASuspendTheTimeLineGoesOnFromNow() {
        let sound = NullSound(clock: clock)
        write(sound)
        clock.pass(.seconds(3_600))
        write(sound)
        #expect(sound.underruns == 1)
        let ahead: Nanoseconds = sound.nextAudible() - clock.now()
        #expect((ahead - PacedTimeline.lead).magnitude <= .milliseconds(10))
    }
}
