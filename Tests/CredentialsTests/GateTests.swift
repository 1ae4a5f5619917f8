// SPDX-License-Identifier: Apache-2.0
import Commands
import TestSupport
import Testing
import Time

@testable import Credentials

struct GateTests {
    private let gate = Gate(Gate.Standing(loopback: .operator, elsewhere: nil), Lockout.Limits())
    private let now = Monotonic(nanoseconds: 5_000_000_000)

    private func caller(
        _ proof: Gate.Proof, from address: String? = "10.0.0.1", isLoopback: Bool = false, at now: Monotonic? = nil
    ) -> Result<Caller, Gate.Denial> {
        gate.caller(
            proof, from: address, isLoopback: isLoopback, by: .http, at: now ?? self.now, wall: CredentialsTests.now)
    }

    private func create(_ name: String, _ role: Role) throws -> String {
        var credentials = gate.credentials
        let text = try credentials.create(
            name, as: role, chance: CredentialsTests.chance(UInt64(name.utf8.count)), at: CredentialsTests.now)
        gate.use(credentials)
        return text
    }

    @Test func whoShowsNothingIsJudgedByWhereItComesFrom() {
        #expect(
            caller(.nothing, from: "127.0.0.1", isLoopback: true)
                == .success(Caller(.http, role: .operator, address: "127.0.0.1")))
        for address in ["10.0.0.1", "fe80::1", "", nil] {
            #expect(caller(.nothing, from: address) == .success(Caller(.http, role: nil, address: address)))
        }
        func stays(isLoopback: Bool) -> Bool {
            gate.stays(.nothing, isLoopback: isLoopback, at: now, wall: CredentialsTests.now)
        }
        #expect(stays(isLoopback: true) && !stays(isLoopback: false))
        gate.use(Gate.Standing(loopback: nil, elsewhere: .viewer), Lockout.Limits())
        #expect((try? caller(.nothing, from: "::1", isLoopback: true).get())?.role == nil)
        #expect((try? caller(.nothing).get())?.role == .viewer)
        #expect(!stays(isLoopback: true) && stays(isLoopback: false))
    }

    @Test func aTokenIsItsRoleAndAnythingElseNobody() throws {
        let text = try create("wall", .viewer)
        #expect(
            caller(.token(text), from: "127.0.0.1")
                == .success(Caller(.http, role: .viewer, name: "wall", address: "127.0.0.1")))
        #expect(caller(.token(text + "x")) == .failure(.unknown))
        #expect(caller(.session(text)) == .failure(.unknown))
        #expect(caller(.unreadable) == .failure(.unknown))
        #expect(gate.counters.unknown == 3)
        let noted = gate.takeActs().acts
        #expect(noted.count == 3 && noted.allSatisfy { $0.caller.address == "10.0.0.1" && $0.caller.name == nil })
        #expect(gate.takeActs().acts.isEmpty)
    }

    @Test func aSessionEndsWithItsTokenAndWithTime() throws {
        let text = try create("anna", .administrator)
        func open() throws -> String {
            try gate.open(
                text, from: "10.0.0.1", chance: CredentialsTests.chance(77), at: now, wall: CredentialsTests.now
            ).get().text
        }
        let session = try open()
        #expect(try caller(.session(session)).get().name == "anna" && caller(.token(session)) == .failure(.unknown))
        #expect(gate.stays(.session(session), isLoopback: false, at: now, wall: CredentialsTests.now))
        #expect(caller(.session(session), at: now + .seconds(11 * 3_600)) != .failure(.unknown))
        #expect(caller(.session(session), at: now + .seconds(24 * 3_600)) == .failure(.unknown), "unused for 13 h")
        let second = try open()
        gate.close(session: second)
        #expect(caller(.session(second)) == .failure(.unknown))
        let third = try open()
        var credentials = gate.credentials
        try credentials.revoke("anna")
        gate.use(credentials)
        #expect(caller(.session(third)) == .failure(.unknown) && gate.sessionCount(at: now) == 0)
        #expect(!gate.stays(.session(third), isLoopback: false, at: now, wall: CredentialsTests.now))
    }

    @Test func aSessionEndsWhenItsTokenExpires() throws {
        var credentials = gate.credentials
        let text = try credentials.create(
            "short", as: .viewer, expires: CredentialsTests.later(60), chance: CredentialsTests.chance(1),
            at: CredentialsTests.now)
        gate.use(credentials)
        let session = try gate.open(
            text, from: "10.0.0.1", chance: CredentialsTests.chance(77), at: now, wall: CredentialsTests.now
        ).get().text
        for (seconds, isKnown) in [(59, true), (60, false)] as [(Int64, Bool)] {
            let wall = CredentialsTests.later(seconds)
            #expect((gate.caller(ofSession: session, by: .http, at: now, wall: wall) != nil) == isKnown)
            #expect(gate.stays(.session(session), isLoopback: false, at: now, wall: wall) == isKnown)
        }
    }

    /// A token of the same name that is made anew does not bring an old session back.
    @Test func aNameIsNoSession() throws {
        let text = try create("anna", .viewer)
        let session = try gate.open(
            text, from: nil, chance: CredentialsTests.chance(78), at: now, wall: CredentialsTests.now
        ).get().text
        var credentials = gate.credentials
        try credentials.revoke("anna")
        gate.use(credentials)
        _ = try create("anna", .administrator)
        #expect(caller(.session(session)) == .failure(.unknown))
    }

    @Test func sessionsAreBounded() throws {
        let text = try create("anna", .viewer)
        for seed in 0..<200 {
            _ = try gate.open(
                text, from: nil, chance: CredentialsTests.chance(UInt64(seed + 100)), at: now,
                wall: CredentialsTests.now
            ).get()
        }
        #expect(gate.sessionCount(at: now) == SessionTable.limit && gate.counters.logins == 200)
    }

    /// 10 000 guesses a second: almost none is looked at, the right one neither, and the memory stays small.
    @Test func guessesAreThrottled() throws {
        let text = try create("anna", .administrator)
        var looked = 0
        for guess in 0..<10_000 {
            let now = now + .microseconds(Int64(guess) * 100)
            if caller(.token("tl-\(guess)"), at: now) == .failure(.unknown) { looked += 1 }
        }
        #expect(looked == Lockout.Limits().tries && gate.counters.throttled == 10_000 - looked)
        guard case .failure(.wait(let span)) = caller(.token(text), at: now + .seconds(2)) else {
            Issue.record("the right token is looked at")
            return
        }
        #expect(span <= .seconds(60))
        #expect(try caller(.token(text), at: now + .seconds(62)).get().role == .administrator)
        let (acts, lockedOut) = gate.takeActs()
        #expect(acts.count <= Gate.actLimit && lockedOut == ["10.0.0.1"])
    }

    @Test func theRightCodeClaims() throws {
        #expect(thrown(Credentials.Refusal.self) { try gate.check(code: "0", at: now) } == .notOpen)
        let window = ClaimWindow(chance: Array(CredentialsTests.chance(9).prefix(10)), until: now + .seconds(600))
        gate.open(window)
        #expect(thrown(Credentials.Refusal.self) { try gate.check(code: "0", at: now) } == .wrongCode(triesLeft: 4))
        #expect(gate.window(at: now)?.triesLeft == 4)
        try gate.check(code: window.code.lowercased(), at: now)
        #expect(gate.window(at: now + .seconds(600)) == nil)
    }
}
