// SPDX-License-Identifier: Apache-2.0
import Time

/// A request that waits for its response, or for the follow-up of it.
struct OutstandingRequest: Sendable {
    /// What the request says and its response returns. It is also when the request was sent, until something knows better.
    let originate: Monotonic
    /// By the interface's or the kernel's stamp, which comes later than the sending and sometimes than the response.
    var sent: Monotonic
    /// When nothing more is waited for.
    var deadline: Monotonic
    var response: (message: WallClockResponse, received: Monotonic)?
    /// A follow-up that overtook its response.
    var followUp: WallClockResponse?

    init(originate: Monotonic, deadline: Monotonic) {
        self.originate = originate
        sent = originate
        self.deadline = deadline
    }

    /// Nil before the response.
    func candidate(followUp: WallClockResponse?) -> WallClockCandidate? {
        guard let (message, received) = response else { return nil }
        return WallClockCandidate(
            requestSent: sent, requestReceived: message.requestReceived,
            responseSent: followUp?.responseSent ?? message.responseSent,
            responseSentAtFirst: followUp.map { _ in message.responseSent }, responseReceived: received,
            server: message.server)
    }
}
