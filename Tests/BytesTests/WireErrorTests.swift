// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

@Suite struct WireErrorTests {
    @Test(arguments: [
        (WireError(.truncated(needed: 4, available: 1), at: 7), "truncated at octet 7: 4 needed, 1 there"),
        (WireError(.invalid("sync byte", 0x48), at: 0), "sync byte 72 is invalid at octet 0"),
        (WireError(.unsupported("LCT version", 3), at: 1), "LCT version 3 is not supported at octet 1"),
        (WireError(.limit("section length", 5_000), at: 2), "section length 5000 is above its limit at octet 2"),
    ])
    func says(error: WireError, text: String) { #expect(error.description == text) }

    @Test func equalByWhatItSays() {
        #expect(WireError(.invalid("a", 1), at: 2) == WireError(.invalid("a", 1), at: 2))
        #expect(WireError(.invalid("a", 1), at: 2) != WireError(.invalid("b", 1), at: 2))
        #expect(WireError(.invalid("a", 1), at: 2) != WireError(.unsupported("a", 1), at: 2))
    }
}
