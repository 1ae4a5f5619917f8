// SPDX-License-Identifier: Apache-2.0
import Commands
import Signing
import TestSupport
import Testing
import Time

@testable import Credentials

struct CredentialsTests {
    static let now = WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(nanoseconds: 0)

    static func chance(_ seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<SecretText.tokenOctets).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    static func later(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000) }

    @Test func aTokenIsKnownByItsText() throws {
        var credentials = Credentials()
        let tablet = try credentials.create("bar tablet", as: .operator, chance: Self.chance(1), at: Self.now)
        let wall = try credentials.create("wall", as: .viewer, chance: Self.chance(2), at: Self.now)
        #expect(tablet.hasPrefix("tl-") && tablet.utf8.count == 46 && tablet != wall)
        #expect(credentials.token(tablet, at: Self.now)?.name == "bar tablet")
        #expect(credentials.token(wall, at: Self.now)?.role == .viewer)
        for wrong in [
            "", "tl-", String(tablet.dropLast()), tablet + "A", tablet.uppercased(), tablet + "\0", " " + tablet,
        ] {
            #expect(credentials.token(wrong, at: Self.now) == nil, "\(wrong)")
        }
        try credentials.revoke("wall")
        #expect(credentials.token(wall, at: Self.now) == nil)
        #expect(
            thrown(Credentials.Refusal.self) { try credentials.revoke("wall") }
                == .unknown("wall", known: ["bar tablet"]))
    }

    @Test func tokensExpireAndMakeRoom() throws {
        var credentials = Credentials()
        let text = try credentials.create(
            "short", as: .viewer, expires: Self.later(60), chance: Self.chance(1), at: Self.now)
        #expect(
            credentials.token(text, at: Self.later(59)) != nil && credentials.token(text, at: Self.later(60)) == nil)
        #expect(
            thrown(Credentials.Refusal.self) {
                try credentials.create("short", as: .viewer, chance: Self.chance(2), at: Self.now)
            } == .nameTaken("short"))
        for number in 1..<Credentials.tokenLimit {
            _ = try credentials.create("n\(number)", as: .viewer, chance: Self.chance(UInt64(number + 9)), at: Self.now)
        }
        #expect(
            thrown(Credentials.Refusal.self) {
                try credentials.create("one more", as: .viewer, chance: Self.chance(3), at: Self.now)
            } == .full)
        _ = try credentials.create("one more", as: .viewer, chance: Self.chance(3), at: Self.later(60))
        #expect(credentials.tokens.count == Credentials.tokenLimit && credentials.tokens.last?.name == "one more")
    }

    @Test func aBoxIsClaimedOnce() throws {
        var credentials = Credentials()
        let text = try credentials.claim(as: "anna", chance: Self.chance(1), at: Self.now)
        #expect(credentials.token(text, at: Self.now)?.role == .administrator)
        #expect(
            thrown(Credentials.Refusal.self) {
                try credentials.claim(as: "eve", chance: Self.chance(2), at: Self.now)
            } == .claimed(by: "anna"))
        // The claim outlives its token: whoever has lost that resets the box.
        try credentials.revoke("anna")
        #expect(credentials.claim?.name == "anna")
    }

    private func someCredentials() throws -> (Credentials, [String]) {
        var credentials = Credentials()
        let texts = [
            try credentials.claim(as: "anna \"\\\u{e9}", chance: Self.chance(4), at: Self.now),
            try credentials.create("w", as: .viewer, expires: Self.later(60), chance: Self.chance(5), at: Self.now),
        ]
        return (credentials, texts)
    }

    @Test func theFileHoldsThemAndNoSecret() throws {
        let (credentials, texts) = try someCredentials()
        #expect(try Credentials(parsing: credentials.octets) == credentials)
        #expect(try Credentials(parsing: Credentials().octets) == Credentials())
        let file = String(decoding: credentials.octets, as: UTF8.self)
        for text in texts { #expect(!file.contains(text) && !file.contains(text.dropFirst(3))) }
    }

    /// A file that is damaged is never one with fewer tokens, of which the box could be claimed anew.
    @Test func aDamagedFileIsRefused() throws {
        let (credentials, _) = try someCredentials()
        let octets = credentials.octets
        let end = octets.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for count in 0...end {
            #expect(throws: (any Error).self, "\(count)") { try Credentials(parsing: Array(octets[..<count])) }
        }
        for text in [
            "[]", "{}", #"{"access":2,"tokens":[]}"#, #"{"access":1}"#, #"{"access":1,"tokens":[],"more":1}"#,
            #"{"access":1,"tokens":[{}]}"#, #"{"access":1,"tokens":[],"claim":{}}"#,
            #"{"access":1,"tokens":[{"name":"a","role":"root","created":"2026-11-21T12:00:00Z","digest":"AA=="}]}"#,
        ] {
            #expect(throws: (any Error).self, "\(text)") { try Credentials(parsing: Array(text.utf8)) }
        }
        let twice = credentials.octets + Array(repeating: UInt8(ascii: " "), count: Credentials.octetLimit)
        #expect(throws: (any Error).self) { try Credentials(parsing: twice) }
    }

    @Test func mutationNeverTrapsAndMakesNoToken() throws {
        let (credentials, texts) = try someCredentials()
        var mutation = Mutation(seed: 21)
        for _ in 0..<Mutation.count() {
            guard let damaged = try? Credentials(parsing: mutation.damage(credentials.octets)) else { continue }
            #expect(damaged.tokens.count <= Credentials.tokenLimit)
            // A token that is known is one that there was.
            for text in texts { _ = damaged.token(text, at: Self.now) }
            #expect(damaged.token("tl-", at: Self.now) == nil)
        }
    }

    @Test func itHoldsManyTokens() throws {
        var credentials = Credentials()
        for number in 0..<Credentials.tokenLimit {
            let name = String(repeating: "\u{1f600}", count: 62) + "\(number)"
            _ = try credentials.create(
                name, as: .administrator, expires: Self.later(9), chance: Self.chance(UInt64(number)), at: Self.now)
        }
        #expect(try Credentials(parsing: credentials.octets) == credentials)
    }
}
