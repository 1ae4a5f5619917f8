// SPDX-License-Identifier: Apache-2.0
import Time

/// How a box comes to a credential of its reporter: it asks for a nonce, asks with that, and asks again until it is
/// enrolled. Time and chance are arguments; the caller sends the requests.
public struct BoxEnrolment: Sendable {
    public enum State: Equatable, Sendable {
        /// The reporter wants none, as far as the box knows.
        case unneeded
        /// The box asks.
        case asking
        /// Somebody has to approve the box.
        case pending(why: String)
        /// Somebody has refused it, or revoked its credential.
        case refused(why: String)
        /// What answers is no reporter that enrols boxes.
        case impossible(why: String)
        case enrolled
    }

    public enum Action: Equatable, Sendable {
        /// Nothing is to be done until something happens.
        case none
        case wait(until: Monotonic)
        /// The caller answers both by `answered` with this number.
        case askNonce(UInt64)
        case ask(UInt64, nonce: String)
    }

    public enum Answer: Equatable, Sendable {
        case nonce(String)
        case enrolled
        case pending(why: String)
        case refused(why: String)
        case impossible(why: String)
        case failed(why: String)
    }

    static let firstBound = Nanoseconds.seconds(1)
    static let firstPending = Nanoseconds.seconds(5)
    static let longest = Nanoseconds.seconds(300)
    static let longestRefused = Nanoseconds.seconds(900)
    /// An answer that has not come after so long does not come any more.
    static let longestRequest = Nanoseconds.seconds(30)
    private static let longestRetryAfter: Int64 = 3_600

    public private(set) var state = State.unneeded
    /// What went wrong last; nil if nothing did.
    public private(set) var problem: String?
    private var number: UInt64 = 0
    private var nonce: String?
    /// Until when an answer is awaited; nil if none is.
    private var deadline: Monotonic?
    private var due = Monotonic(nanoseconds: 0)
    private var bound = Self.firstBound

    /// - Parameter hasCredential: whether the box has one already.
    public init(hasCredential: Bool = false) { state = hasCredential ? .enrolled : .unneeded }

    /// Whether nothing is sent before the box has a credential.
    public var isUnderWay: Bool { state != .unneeded && state != .enrolled }

    /// The box needs a credential, or another one.
    /// - Parameter why: what the reporter said.
    public mutating func require(_ why: String?, at now: Monotonic) {
        guard !isUnderWay else { return }
        state = .asking
        problem = why
        (nonce, deadline, bound, due) = (nil, nil, Self.firstBound, now)
    }

    /// - Returns: what is to be done. Once it is `askNonce` or `ask`, an answer is awaited.
    public mutating func next(at now: Monotonic, _ random: inout some RandomNumberGenerator) -> Action {
        guard isUnderWay else { return .none }
        if let deadline {
            guard now >= deadline else { return .wait(until: deadline) }
            failed("no answer in time", retryAfter: nil, at: now, &random)
        }
        guard now >= due else { return .wait(until: due) }
        number += 1
        deadline = now + Self.longestRequest
        guard let given = nonce else { return .askNonce(number) }
        nonce = nil
        return .ask(number, nonce: given)
    }

    /// - Parameters:
    ///   - number: of the request; answers to earlier ones are passed over.
    ///   - retryAfter: seconds that the reporter asked for.
    public mutating func answered(
        _ number: UInt64, _ answer: Answer, retryAfter: Int64? = nil, at now: Monotonic,
        _ random: inout some RandomNumberGenerator
    ) {
        guard number == self.number, deadline != nil else { return }
        deadline = nil
        switch answer {
        case .nonce(let text):
            nonce = text
            due = now
        case .enrolled:
            (state, problem, bound) = (.enrolled, nil, Self.firstBound)
        case .pending(let why):
            if case .pending = state {} else { bound = Self.firstPending }
            (state, problem) = (.pending(why: why), nil)
            wait(atMost: Self.longest, retryAfter, at: now, &random)
        case .refused(let why):
            (state, problem) = (.refused(why: why), nil)
            wait(atMost: Self.longestRefused, retryAfter, at: now, &random)
        case .impossible(let why):
            (state, problem) = (.impossible(why: why), why)
            wait(atMost: Self.longestRefused, retryAfter, at: now, &random)
        case .failed(let why): failed(why, retryAfter: retryAfter, at: now, &random)
        }
    }

    private mutating func failed(
        _ why: String, retryAfter: Int64?, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) {
        (deadline, nonce, problem) = (nil, nil, why)
        wait(atMost: Self.longest, retryAfter, at: now, &random)
    }

    /// A time drawn between half the bound and the bound, which doubles each time, on top of what the reporter asked for.
    private mutating func wait(
        atMost most: Nanoseconds, _ retryAfter: Int64?, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) {
        let drawn = Nanoseconds(Int64.random(in: bound.count / 2...bound.count, using: &random))
        due = now + drawn + .seconds(min(max(0, retryAfter ?? 0), Self.longestRetryAfter))
        bound = min(bound * 2, most)
    }
}
