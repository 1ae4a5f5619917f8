// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Resampling

@Suite struct StereoDownmixTests {
    private let minus3dB = 0.5.squareRoot()

    private func weights(_ channels: Int, _ mask: UInt64 = 0) -> [Double] {
        StereoDownmix(SourceFormat(sampleRate: 48_000, channels: channels, channelMask: mask)).weights
    }

    @Test func monoIsHeardOnBothSides() { #expect(weights(1) == [1, 1]) }

    @Test func stereoStaysAsItIs() { #expect(weights(2) == [1, 0, 0, 1]) }

    @Test(arguments: [0x3f, 0x60f] as [UInt64])
    func centreAndSurroundAreThreeDecibelsDown(mask: UInt64) {
        let all = 1 + 2 * minus3dB
        let expected = [1, 0, minus3dB, 0, minus3dB, 0, 0, 1, minus3dB, 0, 0, minus3dB].map { $0 / all }
        #expect(weights(6, mask) == expected)
    }

    @Test(arguments: 1...8) func nothingClips(channels: Int) {
        let all = weights(channels)
        #expect(all.count == 2 * channels)
        #expect(all.prefix(channels).reduce(0, +) <= 1.000_001 && all.suffix(channels).reduce(0, +) <= 1.000_001)
        #expect(all.prefix(channels).reduce(0, +) > 0.9)
    }

    @Test func aMaskOfAnotherNumberOfChannelsIsNotBelieved() {
        #expect(SourceFormat(sampleRate: 48_000, channels: 2, channelMask: 0x3f).channelMask == 0x3)
        #expect(weights(1, 0x8) == [1, 1], "low frequencies alone are heard")
    }
}
