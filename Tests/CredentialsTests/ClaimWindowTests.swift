// SPDX-License-Identifier: Apache-2.0
import Signing
import TestSupport
import Testing
import Time

@testable import Credentials

struct ClaimWindowTests {
    private let chance: [UInt8] = [0xff, 0x1f, 0, 1, 9, 10, 17, 18, 30, 0x5e]

    private func refusal(_ text: String, _ window: inout ClaimWindow, at now: Int64 = 0) -> Credentials.Refusal? {
        do throws(Credentials.Refusal) {
            try window.accepts(text, at: Monotonic(nanoseconds: now))
            return nil
        } catch {
            return error
        }
    }

    @Test func codesAreReadAsTheyAreTyped() {
        let code = SecretText.code(chance)
        #expect(code == "ZZ019-AHJYY")
        for typed in ["ZZ019-AHJYY", "zz019ahjyy", " zzol9 ahjyy ", "Z-Z-O-I-9-A-H-J-Y-Y"] {
            #expect(SecretText.readCode(typed) == code, "\(typed)")
        }
        for wrong in [
            "", "ZZ019-AHJY", "ZZ019-AHJYYY", "ZZ019-AHJYU", "ZZ019\u{301}-AHJYY", String(repeating: "-", count: 300),
        ] {
            #expect(SecretText.readCode(wrong) == nil, "\(wrong)")
        }
    }

    /// At least 40 bits: each character is one of 32, and all of them occur.
    @Test func aCodeHasFiftyBits() {
        var random = SplitMix64(seed: 3)
        var seen: [Set<Character>] = Array(repeating: [], count: 10)
        for _ in 0..<2_000 {
            let code = SecretText.code((0..<10).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            for (index, letter) in code.filter({ $0 != "-" }).enumerated() { seen[index].insert(letter) }
        }
        #expect(seen.allSatisfy { $0.count == 32 })
    }

    @Test func fiveWrongCodesCloseIt() {
        var window = ClaimWindow(chance: chance, until: Monotonic(nanoseconds: 10))
        for left in (0..<5).reversed() {
            #expect(window.isOpen(at: Monotonic(nanoseconds: 0)))
            #expect(refusal(left == 2 ? "no code" : "00000-00000", &window) == .wrongCode(triesLeft: left))
        }
        #expect(refusal(window.code, &window) == .notOpen && !window.isOpen(at: Monotonic(nanoseconds: 0)))
    }

    @Test func itEndsInTime() {
        var window = ClaimWindow(chance: chance, until: Monotonic(nanoseconds: 10))
        #expect(refusal(window.code, &window, at: 9) == nil)
        #expect(refusal(window.code, &window, at: 10) == .notOpen)
    }
}
