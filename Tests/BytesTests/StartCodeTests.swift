// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@Suite struct StartCodeTests {
    /// Octets that are 0, 1 or 2, so that each course of zeros and what ends it is there, against the definition.
    @Test func findsTheFirst() {
        var generator = SplitMix64(seed: 20_261_130)
        for length in 0..<400 {
            let octets = (0..<length % 23).map { _ in UInt8.random(in: 0...2, using: &generator) }
            for start in 0...octets.count {
                let expected = (start..<max(start, octets.count - 2)).first {
                    octets[$0] == 0 && octets[$0 + 1] == 0 && octets[$0 + 2] == 1
                }
                let found = octets.withUnsafeBytes { StartCode.offset(in: $0, from: start) }
                #expect(found == expected ?? octets.count, "\(octets) from \(start)")
            }
        }
    }

    @Test func findsOneBehindALongPicture() {
        var octets = [UInt8](repeating: 0x80, count: 100_000)
        octets[50_000] = 0
        octets += [0, 0, 1]
        #expect(octets.withUnsafeBytes { StartCode.offset(in: $0, from: 3) } == 100_000)
    }
}
