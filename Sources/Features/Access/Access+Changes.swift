// SPDX-License-Identifier: Apache-2.0
import Commands
import Credentials
import Hosting
import Journal
import Shapes
import Signing
import System
import Time
import Venue

/// Changes of the credentials. Each is answered when it is on the disk; one that is not, has not happened.
extension Access {
    func create(
        _ name: String, as role: Role, days: Int64?, _ reply: Reply<MadeToken>
    ) {
        let now = sources.wall()
        var expires: WallTime?
        if let days {
            guard sources.isClockSet() else {
                let why = "the clock is not set, so that no token can expire; leave out --days, or wait"
                return reply(.failure(.failure(.failed, why)))
            }
            expires = WallTime(nanoseconds: now.nanoseconds + days * 86_400 * 1_000_000_000)
        }
        var text = ""
        change(
            { (credentials) throws(Status) in
                text = try self.made { (chance) throws(Credentials.Refusal) in
                    try credentials.create(name, as: role, expires: expires, chance: chance, at: now)
                }
            },
            { [self] problem in
                if let problem { return reply(.failure(problem)) }
                log(.notice, "token created", ["name": name, "role": role.rawValue])
                context.emit(TokenCreated(name: name, role: role))
                reply(.success(MadeToken(name: name, role: role, token: text, expires: expires)))
            })
    }

    func revoke(_ name: String, _ reply: Reply<Done>) {
        change(
            { (credentials) throws(Status) in
                do {
                    try credentials.revoke(name)
                } catch {
                    throw .failure(.failed, "\(error)")
                }
            },
            { [self] problem in
                if let problem { return reply(.failure(problem)) }
                log(.notice, "token revoked", ["name": name])
                context.emit(TokenRevoked(name: name))
                reply(.success(Done()))
            })
    }

    func claim(_ code: String, as name: String, by caller: Caller, _ reply: Reply<MadeToken>) {
        let now = sources.wall()
        do {
            try gate.check(code: code, at: sources.monotonic())
        } catch {
            showClaim(at: sources.monotonic())
            return reply(.failure(.failure(.failed, "\(error)")))
        }
        var text = ""
        change(
            { (credentials) throws(Status) in
                text = try self.made { (chance) throws(Credentials.Refusal) in
                    try credentials.claim(as: name, chance: chance, at: now)
                }
            },
            { [self] problem in
                if let problem { return reply(.failure(problem)) }
                gate.open(nil)
                showClaim(at: sources.monotonic())
                log(.notice, "claimed", ["name": name, "address": caller.address ?? "at the box"])
                context.emit(BoxClaimed(name: name, address: caller.address ?? ""))
                reply(.success(MadeToken(name: name, role: .administrator, token: text, expires: nil)))
            })
    }

    /// Opens the claim for whoever reads the code.
    func openClaim() throws(Status) -> OpenedClaim {
        try checkMemory()
        if let claim = gate.credentials.claim {
            throw .failure(.failed, "\(Credentials.Refusal.claimed(by: claim.name)): touchline access-reset")
        }
        let window = try openWindow(until: sources.monotonic() + ClaimWindow.span)
        showClaimAbovePicture()
        return OpenedClaim(code: window.code, seconds: ClaimWindow.span.seconds, fingerprint: sources.fingerprint())
    }

    /// Forgets everything, also a file that cannot be read.
    func reset(_ reply: Reply<Done>) {
        forgetAll { problem in reply(problem.map { .failure($0) } ?? .success(Done())) }
    }

    /// - Parameter done: is given why nothing is forgotten, or nil.
    func forgetAll(_ done: @escaping (Status?) -> Void) {
        change(
            { (credentials) throws(Status) in credentials = Credentials() }, isRepair: true,
            { [self] problem in
                guard problem == nil else { return done(problem) }
                forgetProblem()
                gate.open(nil)
                showClaim(at: sources.monotonic())
                log(.warning, "all tokens and the claim are forgotten")
                context.emit(AccessForgotten())
                done(nil)
            })
    }

    private func checkMemory() throws(Status) {
        guard let problem else { return }
        throw .failure(.failed, "the tokens are not known: \(problem); touchline access-reset begins anew")
    }

    /// Makes a token of chance.
    private func made(_ make: ([UInt8]) throws(Credentials.Refusal) -> String) throws(Status) -> String {
        let chance: [UInt8]
        do {
            chance = try sources.chance(SecretText.tokenOctets)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        do {
            return try make(chance)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Parameters:
    ///   - isRepair: whether it goes although the file could not be read.
    ///   - done: is given why nothing has changed, or nil.
    private func change(
        _ edit: (inout Credentials) throws(Status) -> Void, isRepair: Bool = false, _ done: @escaping (Status?) -> Void
    ) {
        guard !store.isBusy else { return done(.failure(.busy, "tokens are being written; try again")) }
        var credentials = gate.credentials
        do throws(Status) {
            if !isRepair { try checkMemory() }
            try edit(&credentials)
        } catch {
            return done(error)
        }
        store.write(credentials) { [weak self, credentials] problem in
            guard let self else { return }
            if let problem { return done(.failure(.failed, "the tokens are not written: \(problem)")) }
            gate.use(credentials)
            sources.changed()
            done(nil)
        }
    }
}
