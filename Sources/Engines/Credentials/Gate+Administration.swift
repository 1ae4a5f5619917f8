// SPDX-License-Identifier: Apache-2.0
import Commands
import Time

/// What the feature changes.
extension Gate {
    public var credentials: Credentials { state.withLock { $0.credentials } }

    /// Puts credentials in force. Sessions of tokens that are no more end.
    public func use(_ credentials: Credentials) {
        state.withLock { state in
            let kept = Set(credentials.tokens.map(\.name))
            for gone in state.credentials.tokens where !kept.contains(gone.name) {
                state.sessions.endAll(of: gone.name)
            }
            state.credentials = credentials
        }
    }

    public func use(_ standing: Standing, _ limits: Lockout.Limits) {
        state.withLock { state in
            state.standing = standing
            state.lockout.limits = limits
        }
    }

    // MARK: Claiming

    /// The window that is open; nil if none is.
    public func window(at now: Monotonic) -> ClaimWindow? {
        state.withLock { $0.window.flatMap { $0.isOpen(at: now) ? $0 : nil } }
    }

    public func open(_ window: ClaimWindow?) { state.withLock { $0.window = window } }

    /// Whether a code is on the screen, which is for nobody who is not there.
    public func hidesScreen(at now: Monotonic) -> Bool {
        state.withLock { [$0.window, $0.recovery].contains { $0?.isOpen(at: now) == true } }
    }

    /// Checks a code. A wrong one costs a try.
    public func check(code: String, at now: Monotonic) throws(Credentials.Refusal) {
        let refusal: Credentials.Refusal? = state.withLock { state in
            if let claim = state.credentials.claim { return .claimed(by: claim.name) }
            guard var window = state.window else { return .notOpen }
            defer { state.window = window }
            do throws(Credentials.Refusal) {
                try window.accepts(code, at: now)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { throw refusal }
    }

    // MARK: Lost tokens

    /// The window that was opened last, until its end.
    public func recovery(at now: Monotonic) -> ClaimWindow? {
        state.withLock { $0.recovery.flatMap { now < $0.end ? $0 : nil } }
    }

    public func openRecovery(_ window: ClaimWindow) { state.withLock { $0.recovery = window } }

    /// Checks a code, which counts once. A wrong one costs a try.
    public func check(recoveryCode code: String, at now: Monotonic) throws(Credentials.Refusal) {
        let refusal: Credentials.Refusal? = state.withLock { state in
            guard var window = state.recovery else { return .notOpen }
            do throws(Credentials.Refusal) {
                try window.accepts(code, at: now)
                state.recovery = nil
                return nil
            } catch {
                state.recovery = window
                return error
            }
        }
        if let refusal { throw refusal }
    }
}
