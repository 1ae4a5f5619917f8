// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Playback

/// PLAY-45.
@Suite struct DecoderSilenceTests {
    private var silence = DecoderSilence()
    private var now = Monotonic(nanoseconds: 1)

    /// Sends units at 25 a second until the decoder counts as silent, up to a minute.
    /// - Returns: the seconds that it took; nil if it never did.
    private mutating func sendUntilTooLong(isFull: Bool = false, givingEach picture: Int? = nil) -> Double? {
        let start = now
        for number in 1...1_500 {
            silence.unitSent(at: now)
            if let picture, number % picture == 0 { silence.pictureCame() }
            if silence.isTooLong(at: now, isFull: isFull) { return Double((now - start).milliseconds) / 1_000 }
            now = now + .milliseconds(40)
        }
        return nil
    }

    @Test mutating func twoSecondsWithoutAPicture() { #expect(sendUntilTooLong() == 2) }

    /// What is kept for reordering comes late, but it comes.
    @Test mutating func picturesThatComeLate() { #expect(sendUntilTooLong(givingEach: 40) == nil) }

    /// At five units a second as many are kept as at fifty.
    @Test mutating func fewUnits() {
        for _ in 0..<48 {
            silence.unitSent(at: now)
            now = now + .milliseconds(200)
            #expect(!silence.isTooLong(at: now, isFull: false))
        }
        #expect(silence.isTooLong(at: now, isFull: true), "it takes no more")
        silence.unitSent(at: now)
        #expect(silence.isTooLong(at: now, isFull: false))
    }

    /// The last decoder is opened again less and less often, because the stream may be at fault.
    @Test mutating func patienceGrows() {
        var found: [Double?] = []
        for isLast in [false, false, true, true, true, true, true, true] {
            found.append(sendUntilTooLong())
            silence.decoderReplaced(isLast: isLast)
        }
        #expect(found == [2, 2, 2, 4, 8, 16, 32, 32])
        silence.pictureCame()
        #expect(sendUntilTooLong() == 2)
    }

    /// While the stage takes no pictures, as in a pause, none is awaited.
    @Test mutating func aPauseIsNoSilence() {
        silence.unitSent(at: now)
        silence.end()
        now = now + .seconds(60)
        #expect(!silence.isTooLong(at: now, isFull: true))
        silence.unitSent(at: now)
        #expect(!silence.isTooLong(at: now, isFull: true))
    }
}
