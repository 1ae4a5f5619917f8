// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

struct ADTSFrameTests {
    /// ISO/IEC 14496-3 1.A.2.2 by hand: AAC-LC, 48 000 Hz, 2 channels, 7 + 10 octets.
    @Test func writesTheHeader() throws {
        let frame = try #require(ADTSFrame(sampleRate: 48_000, channels: 2))
        var octets: [UInt8] = []
        frame.appendHeader(ofPayload: 10, to: &octets)
        #expect(octets == [0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x3F, 0xFC])
        [UInt8](repeating: 7, count: 10).withUnsafeBytes { frame.append($0, to: &octets) }
        #expect(
            octets.count == 24 && octets[7..<14].elementsEqual(octets[..<7]) && octets[14...].allSatisfy { $0 == 7 })
    }

    @Test func saysTheLongest() throws {
        var octets: [UInt8] = []
        try #require(ADTSFrame(sampleRate: 7_350, channels: 8, profile: 3))
            .appendHeader(ofPayload: ADTSFrame.largestPayload, to: &octets)
        #expect(octets == [0xFF, 0xF1, 0xF1, 0xC3, 0xFF, 0xFF, 0xFC])
    }

    @Test func refusesWhatItCannotSay() {
        #expect(ADTSFrame(sampleRate: 48_001, channels: 2) == nil && ADTSFrame(sampleRate: 48_000, channels: 7) == nil)
        #expect(ADTSFrame(sampleRate: 48_000, channels: 0) == nil && ADTSFrame(sampleRate: 48_000, channels: 9) == nil)
        #expect(ADTSFrame(sampleRate: 48_000, channels: 2, profile: 4) == nil)
        #expect(ADTSFrame(sampleRate: 48_000, channels: 2, profile: -1) == nil)
    }
}
