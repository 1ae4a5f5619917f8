// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import System
import Time
import Venue

/// Takes requests that may come twice to a dispatcher once.
/// - Thread: the loop's thread only.
public final class OnceDispatcher {
    private var memory = AnswerMemory()
    private let now: () -> Monotonic

    public init(now: @escaping () -> Monotonic = { SystemClock.monotonic() }) { self.now = now }

    /// - Parameters:
    ///   - key: nil for a request that acts each time it comes.
    ///   - caller: whose key it is.
    public func dispatch(
        _ request: CommandRequest, once key: IdempotencyKey?, of caller: String, by dispatcher: Dispatcher,
        answer: @escaping (Result<JSONValue, Status>) -> Void
    ) {
        guard let key else { return dispatcher.dispatch(request, answer: answer) }
        let subject = AnswerMemory.Subject(caller: caller, key: key)
        switch memory.decide(subject, RequestDigest(request), at: now(), answer) {
        case .act:
            dispatcher.dispatch(request) { [self] outcome in
                let waiting = memory.ended(subject, outcome)
                answer(outcome)
                for other in waiting { other(outcome) }
            }
        case .answer(let outcome): answer(outcome)
        case .wait: break
        case .mismatch: answer(.failure(AnswerMemory.Decision.mismatchStatus))
        case .full: answer(.failure(AnswerMemory.Decision.fullStatus))
        }
    }
}
