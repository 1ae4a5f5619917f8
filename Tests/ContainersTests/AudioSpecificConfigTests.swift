// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Containers

@Suite struct AudioSpecificConfigTests {
    private func read(_ bytes: [UInt8]) -> AudioSpecificConfig? { bytes.withUnsafeBytes { AudioSpecificConfig($0) } }

    @Test func theCoreIsWhatCounts() {
        let plain = read([0x11, 0x90])  // AAC-LC, 48 000 Hz, 2 channels
        #expect(plain?.objectType == 2 && plain?.sampleRate == 48_000 && plain?.channels == 2)
        let replicated = read([0x2b, 0x11, 0x88, 0x00])  // SBR over AAC-LC: 24 000, extended to 48 000
        #expect(replicated?.objectType == 2 && replicated?.sampleRate == 24_000 && replicated?.channels == 2)
        #expect(replicated?.framing(fallback: 0) == ADTSFrame(sampleRate: 24_000, channels: 2))
    }

    @Test func whatADTSCannotSayIsRefused() {
        #expect(read([]) == nil && read([0x11]) == nil)
        #expect(read([0x16, 0x90]) == nil)  // reserved rate 13
        #expect(read([0xf9, 0x46, 0x40])?.framing(fallback: 2) == nil)  // extended object type 42
        #expect(read([0x11, 0x80])?.framing(fallback: 0) == nil)
        #expect(read([0x11, 0x80])?.framing(fallback: 6) == ADTSFrame(sampleRate: 48_000, channels: 6))
    }
}
