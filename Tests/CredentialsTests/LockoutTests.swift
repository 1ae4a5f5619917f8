// SPDX-License-Identifier: Apache-2.0
import Commands
import TestSupport
import Testing
import Time

@testable import Credentials

/// Tokens guessed at 10 000 a second.
struct LockoutTests {
    private func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

    /// Guesses for a minute; how many were looked at.
    private func looks(_ lockout: inout Lockout, _ guesses: Int, _ source: (Int) -> String) -> Int {
        var looks = 0
        for guess in 0..<guesses {
            let now = Monotonic(nanoseconds: Int64(guess) * 100_000)
            guard lockout.wait(of: source(guess), at: now) == nil else { continue }
            looks += 1
            _ = lockout.failed(source(guess), at: now)
        }
        return looks
    }

    @Test func oneSourceIsSlowedDown() {
        var lockout = Lockout()
        let count = looks(&lockout, 10_000) { _ in "10.0.0.1" }
        #expect(count == lockout.limits.tries)
        #expect(lockout.lockedCount(at: at(1_000)) == 1)
        #expect(lockout.wait(of: "10.0.0.1", at: at(1_000)).map { $0 > .seconds(58) } == true)
        // Somebody else is not.
        #expect(lockout.wait(of: "10.0.0.2", at: at(1_000)) == nil)
        // The second time it waits twice as long.
        let now = at(61_000)
        #expect(lockout.wait(of: "10.0.0.1", at: now) == nil)
        for _ in 0..<lockout.limits.tries { _ = lockout.failed("10.0.0.1", at: now) }
        #expect(lockout.wait(of: "10.0.0.1", at: now) == .seconds(120))
    }

    /// Each guess from another address, as in IPv6: nobody has unlimited guesses, and those that were right before go on.
    @Test func manySourcesAreSlowedDownTogether() {
        var lockout = Lockout()
        lockout.succeeded("10.9.9.9", at: at(0))
        let count = looks(&lockout, 100_000) { "10.\($0 >> 16 & 0xff).\($0 >> 8 & 0xff).\($0 & 0xff)" }
        #expect((200...212).contains(count), "\(count)")
        #expect(lockout.wait(of: "10.1.2.3", at: at(9_500)) == .seconds(10))
        #expect(lockout.wait(of: "10.9.9.9", at: at(9_500)) == nil)
        var other = Lockout()
        let others = looks(&other, 10_000) { "2001:db8:0:7::\(String($0, radix: 16))" }
        #expect(others == other.limits.tries)
    }

    @Test func itsMemoryIsBounded() {
        var lockout = Lockout(Lockout.Limits(tries: 3, span: .seconds(60), total: 10_000))
        for index in 0..<5_000 {
            let source = "10.0.\(index >> 8).\(index & 0xff)"
            for _ in 0..<(index % 4) { _ = lockout.failed(source, at: at(Int64(index))) }
            lockout.succeeded("11.0.\(index >> 8).\(index & 0xff)", at: at(Int64(index)))
        }
        let mirror = Mirror(reflecting: lockout)
        let counts = mirror.children.compactMap { Mirror(reflecting: $0.value).children.count }
        #expect(counts.allSatisfy { $0 <= Lockout.sourceLimit }, "\(counts)")
    }

    @Test func whoMistypesNowAndThenNeverWaits() {
        var lockout = Lockout()
        for minute in 0..<100 {
            for _ in 0..<5 {
                let waits = lockout.failed("10.0.0.1", at: at(Int64(minute) * 60_000))
                #expect(!waits)
            }
        }
        for _ in 0..<19 { _ = lockout.failed("10.0.0.2", at: at(0)) }
        lockout.succeeded("10.0.0.2", at: at(1))
        let waits = lockout.failed("10.0.0.2", at: at(2))
        #expect(!waits)
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"), ("", ""), ("nonsense", ""),
    ]) func sources(address: String, key: String) { #expect(Lockout.key(address) == key) }
}
