// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Provisioning

@Suite struct SequenceMemoryTests {
    private static func fingerprint(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    @Test func whatIsWrittenIsRead() throws {
        var memory = SequenceMemory()
        #expect(try SequenceMemory(parsing: memory.octets) == memory)
        for number in 0..<SequenceMemory.mostKeys {
            let isKept = memory.remember(1 << 53, of: Self.fingerprint(number))
            #expect(isKept)
        }
        #expect(memory.octets.count < 64 << 10)
        #expect(try SequenceMemory(parsing: memory.octets) == memory)
        let (isNewKept, isOldKept) = (
            memory.remember(1, of: Self.fingerprint(1_000)), memory.remember(1, of: Self.fingerprint(1))
        )
        #expect(!isNewKept && isOldKept)
        #expect(memory[Self.fingerprint(1)] == 1 << 53 && memory[Self.fingerprint(1_000)] == 0)
    }

    /// It is never taken for an empty memory.
    @Test func damageIsNoMemory() throws {
        var memory = SequenceMemory()
        let isKept = memory.remember(7, of: Self.fingerprint(1))
        #expect(isKept)
        let good = memory.octets
        for count in good.indices.dropLast() {
            #expect(throws: (any Error).self, "\(count) octets") { try SequenceMemory(parsing: Array(good[..<count])) }
        }
        for text in ["[]", "{}", #"{"memory":2,"keys":[]}"#, #"{"memory":1,"keys":[{"fingerprint":"a","highest":1}]}"#]
        {
            #expect(throws: (any Error).self, "\(text)") { try SequenceMemory(parsing: Array(text.utf8)) }
        }
        var mutation = Mutation(seed: 35)
        for _ in 0..<Mutation.count() {
            _ = try? SequenceMemory(parsing: mutation.damage(good))  // refusing is an answer; only a trap is not
        }
    }
}
