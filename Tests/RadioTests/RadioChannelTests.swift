// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

/// Frequencies and numbers by IEEE 802.11 Annex E.
struct RadioChannelTests {
    @Test(
        arguments: [
            (2_412, .gigahertz2, 1), (2_437, .gigahertz2, 6), (2_472, .gigahertz2, 13), (2_484, .gigahertz2, 14),
            (4_920, .gigahertz5, 184), (4_980, .gigahertz5, 196), (5_180, .gigahertz5, 36), (5_720, .gigahertz5, 144),
            (5_825, .gigahertz5, 165), (5_885, .gigahertz5, 177), (5_935, .gigahertz6, 2), (5_955, .gigahertz6, 1),
            (6_115, .gigahertz6, 33), (7_115, .gigahertz6, 233), (58_320, .gigahertz60, 1), (69_120, .gigahertz60, 6),
        ] as [(UInt32, RadioBand, Int)])
    func numbers(frequency: UInt32, band: RadioBand, number: Int) {
        let channel = RadioChannel(controlFrequency: frequency)
        #expect(channel.band == band)
        #expect(channel.number == number)
    }

    @Test(arguments: [2_411, 2_413, 2_477, 2_483, 5_181, 5_927, 5_950, 5_957, 5_960, 5_965, 7_120, 58_321] as [UInt32])
    func betweenChannels(frequency: UInt32) {
        #expect(RadioChannel(controlFrequency: frequency).band != nil)
        #expect(RadioChannel(controlFrequency: frequency).number == nil)
    }

    @Test(arguments: [0, 1, 900, 2_400, 2_495, 3_660, 4_899, 7_126, 45_000, 71_001, .max] as [UInt32])
    func inNoBand(frequency: UInt32) {
        #expect(RadioChannel(controlFrequency: frequency).band == nil)
        #expect(RadioChannel(controlFrequency: frequency).number == nil)
    }

    /// No two frequencies of a band have one number.
    @Test func eachNumberIsThatOfOneFrequency() {
        for band in [RadioBand.gigahertz2, .gigahertz5, .gigahertz6, .gigahertz60] {
            var seen: Set<Int> = []
            for frequency: UInt32 in 2_000...72_000 where RadioBand(frequency: frequency) == band {
                guard let number = band.channelNumber(at: frequency) else { continue }
                #expect(seen.insert(number).inserted, "\(number) at \(frequency)")
            }
            #expect(seen.count >= 6)
        }
    }
}
