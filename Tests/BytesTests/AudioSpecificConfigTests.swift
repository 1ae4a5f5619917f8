// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@Suite struct AudioSpecificConfigTests {
    private func read(_ octets: [UInt8]) throws(WireError) -> AudioSpecificConfig {
        try octets.withOctets { (bytes) throws(WireError) in try AudioSpecificConfig(bytes) }
    }

    @Test(
        arguments: [
            ([0x11, 0x90], 48_000, 2), ([0x12, 0x08], 44_100, 1), ([0x11, 0xB8], 48_000, 7), ([0x16, 0x10], 7_350, 2),
            ([0x11, 0x90, 0x56, 0xE5, 0x00], 48_000, 2),
            ([0x17, 0x80, 0x5D, 0xC0, 0x10], 48_000, 2),  // the rate in 24 bits
        ] as [([UInt8], Int, Int)])
    func readsLowComplexity(octets: [UInt8], rate: Int, channels: Int) throws {
        let config = try read(octets)
        #expect(config.objectType == AudioSpecificConfig.lowComplexity && !config.saysReplication && !config.isUnusual)
        #expect(config.sampleRate == rate && config.channelConfiguration == channels)
        #expect(config.framing() == ADTSFrame(sampleRate: rate, channels: channels == 7 ? 8 : channels))
    }

    @Test func theCoreIsWhatCounts() throws {
        let replicated = try read([0x2b, 0x11, 0x88, 0x00])  // SBR over AAC-LC: 24 000, extended to 48 000
        #expect(replicated.objectType == 2 && replicated.sampleRate == 24_000 && replicated.channelConfiguration == 2)
        #expect(replicated.saysReplication && replicated.framing() == ADTSFrame(sampleRate: 24_000, channels: 2))
    }

    @Test func flags() throws {
        #expect(try read([0x11, 0x94]).isUnusual)  // 960 samples
        #expect(try read([0x11, 0x92]).isUnusual)  // on top of another coder
        #expect(try !read([0x11, 0x91]).isUnusual)
    }

    @Test func whatADTSCannotSayHasNoFrame() throws {
        #expect(throws: WireError(.unsupported("samplingFrequencyIndex", 13), at: 0)) { try read([0x16, 0x90]) }
        #expect(try read([0xf9, 0x46, 0x40]).framing(fallback: 2) == nil)  // extended object type 42
        #expect(try read([0x11, 0x80]).framing() == nil)
        #expect(try read([0x11, 0x80]).framing(fallback: 6) == ADTSFrame(sampleRate: 48_000, channels: 6))
        #expect(try read([0x11, 0xC0]).framing(fallback: 2) == nil)  // a reserved channelConfiguration
        #expect(try read([0x17, 0x80, 0x00, 0x00, 0x90]).framing() == nil)  // a rate that has no index
    }

    @Test func everyTruncationThrows() {
        for whole in [[0x11, 0x90], [0x2b, 0x11, 0x88, 0x00], [0x17, 0x80, 0x5D, 0xC0, 0x10]] as [[UInt8]] {
            for count in 0..<(whole.count == 4 ? 3 : whole.count) {
                #expect(throws: WireError.self) { try read(Array(whole[..<count])) }
            }
        }
    }

    @Test func damage() {
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            // To refuse is an answer; only a trap is not.
            _ = (try? read(mutation.damage([0x2b, 0x11, 0x88, 0x00, 0x56, 0xE5])))?.framing(fallback: 2)
        }
    }
}
