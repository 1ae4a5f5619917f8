// SPDX-License-Identifier: Apache-2.0
import Commands
import Synchronization
import System
import Time

/// Knows callers of the network by what they show: tokens and sessions. Any thread may ask.
public final class Gate: Sendable {
    /// What a request shows of its caller.
    public enum Proof: Equatable, Sendable {
        case nothing
        case token(String)
        case session(String)
        /// Something that cannot be either.
        case unreadable
    }

    public enum Denial: Error, Equatable, Sendable {
        case unknown
        /// Nothing that the caller shows is looked at for so long.
        case wait(Nanoseconds)
    }

    /// The roles of who shows nothing, by where it comes from; nil: none.
    public struct Standing: Equatable, Sendable {
        public var loopback: Role?
        public var elsewhere: Role?

        public init(loopback: Role?, elsewhere: Role?) { (self.loopback, self.elsewhere) = (loopback, elsewhere) }

        func role(isLoopback: Bool) -> Role? { isLoopback ? loopback : elsewhere }
    }

    public struct Counters: Equatable, Sendable {
        /// Wrong tokens and sessions.
        public var unknown = 0
        /// Requests that were not looked at because their source has to wait.
        public var throttled = 0
        public var logins = 0
        /// Commands and paths that callers have no right to.
        public var refused = 0
        /// Sources that had to wait.
        public var lockouts = 0
    }

    struct State: Sendable {
        var credentials = Credentials()
        var window: ClaimWindow?
        /// For who has lost all tokens; one without tries left stays until its end, so that nobody guesses without a pause.
        var recovery: ClaimWindow?
        var standing: Standing
        var lockout: Lockout
        var sessions = SessionTable()
        var counters = Counters()
        /// What is to be told, the oldest first.
        var acts: [Act] = []
        var lockedOut: [String] = []
    }

    static let actLimit = 256

    let state: Mutex<State>

    public init(_ standing: Standing, _ limits: Lockout.Limits) {
        state = Mutex(State(standing: standing, lockout: Lockout(limits)))
    }

    // MARK: Callers

    /// The caller of a request.
    /// - Parameters:
    ///   - address: numeric; nil if it is not known.
    ///   - isLoopback: whether it is of this machine.
    ///   - wall: not before anything that is surely past.
    public func caller(
        _ proof: Proof, from address: String?, isLoopback: Bool = false, by origin: Origin, at now: Monotonic,
        wall: WallTime
    ) -> Result<Caller, Denial> {
        state.withLock { state in
            if proof == .nothing {
                return .success(Caller(origin, role: state.standing.role(isLoopback: isLoopback), address: address))
            }
            return state.token(of: proof, from: address, by: origin, at: now, wall: wall).map { token in
                Caller(origin, role: token.role, name: token.name, address: address)
            }
        }
    }

    /// The caller whose session this is; nil if it is none. A wrong one is not counted: nobody guesses 256 bits over a socket
    /// of this machine, and one that is over comes from somebody who was logged in.
    public func caller(ofSession text: String, by origin: Origin, at now: Monotonic, wall: WallTime) -> Caller? {
        state.withLock { state in
            state.known(.session(text), at: now, wall: wall).map { Caller(origin, role: $0.role, name: $0.name) }
        }
    }

    /// Whether a caller that was admitted with this proof would be now. A wrong proof is not counted.
    public func stays(_ proof: Proof, isLoopback: Bool, at now: Monotonic, wall: WallTime) -> Bool {
        state.withLock { state in
            guard proof == .nothing else { return state.known(proof, at: now, wall: wall) != nil }
            return state.standing.role(isLoopback: isLoopback) != nil
        }
    }

    /// Opens a session with a token.
    /// - Parameter chance: `SecretText.tokenOctets` random octets.
    public func open(
        _ token: String, from address: String?, by origin: Origin = .http, chance: [UInt8], at now: Monotonic,
        wall: WallTime
    ) -> Result<(text: String, caller: Caller, span: Nanoseconds), Denial> {
        state.withLock { state in
            switch state.token(of: .token(token), from: address, by: origin, at: now, wall: wall) {
            case .failure(let denial): return .failure(denial)
            case .success(let token):
                guard let text = state.sessions.open(token.name, chance: chance, at: now) else {
                    return .failure(.unknown)
                }
                state.counters.logins += 1
                let caller = Caller(origin, role: token.role, name: token.name, address: address)
                state.add(Act(caller, "session", .done(revision: nil)))
                return .success((text, caller, SessionTable.longestSpan))
            }
        }
    }

    public func close(session text: String) { state.withLock { $0.sessions.end(text) } }

    // MARK: For the audit and the statistics

    /// Takes what was refused elsewhere, for `takeActs`.
    public func note(_ act: Act) {
        state.withLock { state in
            state.counters.refused += 1
            state.add(act)
        }
    }

    /// What was noted since the last call. Of very many the newest are left out; the counters have all.
    public func takeActs() -> (acts: [Act], lockedOut: [String]) {
        state.withLock { state in
            defer { (state.acts, state.lockedOut) = ([], []) }
            return (state.acts, state.lockedOut)
        }
    }

    public func countRefusal() { state.withLock { $0.counters.refused += 1 } }

    public var counters: Counters { state.withLock { $0.counters } }

    public func lockedCount(at now: Monotonic) -> Int { state.withLock { $0.lockout.lockedCount(at: now) } }

    public func sessionCount(at now: Monotonic) -> Int { state.withLock { $0.sessions.count(at: now) } }
}

extension Gate.State {
    /// The token of a proof; nil if it is none, or none any more.
    mutating func known(_ proof: Gate.Proof, at now: Monotonic, wall: WallTime) -> AccessToken? {
        switch proof {
        case .nothing, .unreadable: return nil
        case .token(let text): return credentials.token(text, at: wall)
        case .session(let text):
            guard let name = sessions.token(text, at: now) else { return nil }
            return credentials.tokens.first { $0.name == name && !$0.hasExpired(at: wall) }
        }
    }

    mutating func token(
        of proof: Gate.Proof, from source: String?, by origin: Origin, at now: Monotonic, wall: WallTime
    ) -> Result<AccessToken, Gate.Denial> {
        let address = source ?? ""
        if let span = lockout.wait(of: address, at: now) {
            counters.throttled += 1
            return .failure(.wait(span))
        }
        if let token = known(proof, at: now, wall: wall) {
            lockout.succeeded(address, at: now)
            return .success(token)
        }
        counters.unknown += 1
        let why = if case .session = proof { "the session is not known" } else { "the token is not known" }
        add(Act(Caller(origin, role: nil, address: source), "login", .refused(why)))
        if lockout.failed(address, at: now) {
            counters.lockouts += 1
            if lockedOut.count < Gate.actLimit { lockedOut.append(address) }
        }
        return .failure(.unknown)
    }

    mutating func add(_ act: Act) {
        if acts.count < Gate.actLimit { acts.append(act) }
    }
}
