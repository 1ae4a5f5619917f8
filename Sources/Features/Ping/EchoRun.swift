// SPDX-License-Identifier: Apache-2.0
import Time

/// The echo requests to one host: when each is sent, and what came of it.
struct EchoRun: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        case awaited
        case answered(after: Nanoseconds)
        /// Somebody reports that it was not delivered.
        case failed(why: String)
        case unanswered
    }

    enum Step: Equatable, Sendable {
        /// Send the request of this sequence number, and ask again.
        case send(sequence: Int)
        case wait(until: Monotonic)
        case over
    }

    /// From one request to the next.
    static let interval = Nanoseconds.seconds(1)
    /// How long the last request may be unanswered. The others have at least as long.
    static let patience = Nanoseconds.seconds(2)

    let count: Int
    private let began: Monotonic
    private var sent: [Monotonic] = []
    /// Of the requests that were sent, by sequence number from 1 on.
    private(set) var outcomes: [Outcome] = []

    /// - Parameter now: when the first request is sent.
    init(count: Int, now: Monotonic) {
        precondition((1...100).contains(count))
        self.count = count
        began = now
    }

    /// What is to be done now.
    mutating func step(at now: Monotonic) -> Step {
        if sent.count < count {
            let due = began + Self.interval * Int64(sent.count)
            guard now >= due else { return .wait(until: due) }
            sent.append(now)
            outcomes.append(.awaited)
            return .send(sequence: sent.count)
        }
        guard let last = sent.last, outcomes.contains(.awaited) else { return .over }
        guard now >= last + Self.patience else { return .wait(until: last + Self.patience) }
        for index in outcomes.indices where outcomes[index] == .awaited { outcomes[index] = .unanswered }
        return .over
    }

    /// A reply came. A second one to the same request, and one to a request that was never sent, change nothing.
    mutating func answered(_ sequence: Int, at now: Monotonic) {
        guard let index = awaited(sequence) else { return }
        outcomes[index] = .answered(after: max(.zero, now - sent[index]))
    }

    mutating func failed(_ sequence: Int, why: String) {
        if let index = awaited(sequence) { outcomes[index] = .failed(why: why) }
    }

    private func awaited(_ sequence: Int) -> Int? {
        outcomes.indices.contains(sequence - 1) && outcomes[sequence - 1] == .awaited ? sequence - 1 : nil
    }

    /// The times that replies took, in the order of the requests.
    var times: [Nanoseconds] {
        outcomes.compactMap { outcome in
            if case .answered(let time) = outcome { time } else { nil }
        }
    }
}
