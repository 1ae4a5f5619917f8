// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Time
import Venue

/// The answers to requests with a key. A request that comes again, because its answer was lost, gets the same answer and
/// does not act again; one that comes again before its answer waits for it. Nobody gets an answer that was another caller's,
/// and no answer that has a secret is kept.
///
/// What is kept is bounded in number, in octets and in age; the oldest go first. The memory does not outlive the service.
public struct AnswerMemory {
    /// A key and whose it is: two callers may choose the same one.
    public struct Subject: Hashable, Sendable {
        let caller: Caller
        let key: IdempotencyKey

        /// Who has shown who it is may come again from another address; who has not is known by that alone.
        public init(_ caller: Caller, _ key: IdempotencyKey) {
            self.caller = caller.name == nil ? caller : Caller(caller.origin, role: caller.role, name: caller.name)
            self.key = key
        }
    }

    public typealias Answer = (Result<JSONValue, Status>) -> Void

    /// What is to be done with a request.
    public enum Decision {
        /// It is new: it is to be carried out, and its outcome told by `ended`.
        case act
        /// It had this answer.
        case answer(Result<JSONValue, Status>)
        /// It is being carried out; `ended` calls the answer.
        case wait
        /// The key was that of another request.
        case mismatch
        /// It cannot be remembered now, so that it is not carried out.
        case full
    }

    static let entryLimit = 256
    static let octetLimit = 1 << 20
    /// The most that one answer may have to be kept.
    static let answerLimit = 64 << 10
    static let age = Nanoseconds.seconds(86_400)
    /// The most that may wait for one answer.
    static let waitingLimit = 8

    private struct Entry {
        let request: RequestDigest
        let began: Monotonic
        /// nil until the request has ended.
        var outcome: Result<JSONValue, Status>?
        var octets = 0
        var waiting: [Answer] = []
    }

    private var entries: [Subject: Entry] = [:]
    /// Oldest first.
    private var order: [Subject] = []
    private var octets = 0

    public init() {}

    var count: Int { entries.count }

    /// - Parameters:
    ///   - request: what the key must not be used again for something else than.
    ///   - answer: is kept only if the decision is `wait`.
    public mutating func decide(
        _ subject: Subject, _ request: RequestDigest, at now: Monotonic, _ answer: @escaping Answer
    ) -> Decision {
        forget(before: now - Self.age)
        if let entry = entries[subject] {
            guard entry.request == request else { return .mismatch }
            if let outcome = entry.outcome { return .answer(outcome) }
            guard entry.waiting.count < Self.waitingLimit else { return .full }
            entries[subject]?.waiting.append(answer)
            return .wait
        }
        while entries.count >= Self.entryLimit {
            // What is being carried out stays.
            guard let oldest = order.first(where: { entries[$0]?.outcome != nil }) else { return .full }
            remove(oldest)
        }
        entries[subject] = Entry(request: request, began: now)
        order.append(subject)
        return .act
    }

    /// - Parameter isSecret: whether the answer has a secret if the request was carried out. Who asked first gets it, and
    ///   nobody else.
    /// - Returns: those that wait for the answer, and the one that they get.
    public mutating func ended(
        _ subject: Subject, _ outcome: Result<JSONValue, Status>, isSecret: Bool
    ) -> (waiting: [Answer], outcome: Result<JSONValue, Status>) {
        guard var entry = entries[subject] else { return ([], outcome) }
        let waiting = entry.waiting
        var shared = outcome
        switch outcome {
        // A box that was busy did nothing, and may do it when it is asked again.
        case .failure(let status) where status.code == .busy:
            remove(subject)
            return (waiting, outcome)
        case .success where isSecret: shared = .failure(Self.secret)
        case .success, .failure: break
        }
        let size = Self.octets(of: shared)
        entry.outcome = size <= Self.answerLimit ? shared : .failure(Self.tooLong)
        entry.octets = min(size, Self.answerLimit)
        entry.waiting = []
        entries[subject] = entry
        octets += entry.octets
        while octets > Self.octetLimit, let oldest = order.first(where: { entries[$0]?.outcome != nil }) {
            remove(oldest)
        }
        return (waiting, shared)
    }

    static let tooLong = Status.failure(
        .failed, "the request was carried out before; its answer was too long to be kept")
    static let secret = Status.failure(
        .failed, "the request was carried out before; its answer has a secret, which is told once")

    private static func octets(of outcome: Result<JSONValue, Status>) -> Int {
        switch outcome {
        case .success(let value): value.octets().count
        case .failure(let status): status.json.octets().count
        }
    }

    private mutating func forget(before: Monotonic) {
        while let oldest = order.first, let entry = entries[oldest], entry.began < before, entry.outcome != nil {
            remove(oldest)
        }
    }

    private mutating func remove(_ subject: Subject) {
        octets -= entries.removeValue(forKey: subject)?.octets ?? 0
        order.removeAll { $0 == subject }
    }
}

extension AnswerMemory.Decision {
    static let mismatchStatus = Status.failure(
        .configuration, "the key was that of another request; expected a new one for each")
    static let fullStatus = Status.failure(.busy, "too many requests with keys are being carried out")
}
