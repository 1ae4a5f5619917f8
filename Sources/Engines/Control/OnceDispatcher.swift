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
    ///   - request: with its caller, whose key it is, and who may give it.
    ///   - key: nil for a request that acts each time it comes.
    public func dispatch(
        _ request: CommandRequest, once key: IdempotencyKey?, by dispatcher: Dispatcher,
        answer: @escaping (Result<JSONValue, Status>) -> Void
    ) {
        guard let key, let command = dispatcher.description(of: request), command.heedsKey(of: request.caller) else {
            return dispatcher.dispatch(request, answer: answer)
        }
        let subject = AnswerMemory.Subject(request.caller, key)
        switch memory.decide(subject, RequestDigest(request), at: now(), answer) {
        case .act:
            dispatcher.dispatch(request) { [self] outcome in
                let others = memory.ended(subject, outcome, isSecret: command.answersSecret)
                answer(outcome)
                for other in others.waiting { other(others.outcome) }
            }
        case .answer(let outcome): answer(outcome)
        case .wait: break
        case .mismatch: answer(.failure(AnswerMemory.Decision.mismatchStatus))
        case .full: answer(.failure(AnswerMemory.Decision.fullStatus))
        }
    }
}
