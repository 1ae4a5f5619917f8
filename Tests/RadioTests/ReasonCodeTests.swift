// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

/// IEEE 802.11-2020, table 9-49.
struct ReasonCodeTests {
    @Test func isToldWithItsNumber() {
        #expect(ReasonCode(rawValue: 4).description == "4: inactivity")
        #expect(ReasonCode(rawValue: 15).meaning == "4-way handshake timed out")
        #expect(ReasonCode(rawValue: 4_711).description == "4711")
    }

    /// Of the first 66 numbers the standard reserves 0 and 40...44.
    @Test func eachHasAMeaningOfItsOwn() {
        let reserved: Set<UInt16> = [0, 40, 41, 42, 43, 44]
        var meanings: Set<String> = []
        for number: UInt16 in 0...66 {
            let meaning = ReasonCode(rawValue: number).meaning
            #expect((meaning == nil) == reserved.contains(number), "\(number)")
            if let meaning { #expect(meanings.insert(meaning).inserted, "\(number)") }
        }
    }
}
