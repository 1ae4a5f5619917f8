// SPDX-License-Identifier: Apache-2.0
import Control
import ControlMessages
import JSON
import Venue

/// What a caller of the control socket sends; the first octet says how much of it arrives at once. Whatever it is, each
/// line is answered and nothing is owed at the end. The same as what a service sends to a client.
func fuzzControlSession(_ bytes: UnsafeRawBufferPointer) {
    let log = EventLog()
    var session = ControlSession()
    func answer() {
        while let request = session.nextRequest() {
            switch request.id % 3 {
            case 0: session.follow(request.id, EventPlace(since: nil), of: log)
            case 1: session.answer(request.id, .success([:]))
            default: session.answer(request.id, .failure(.failure(.failed, "")))
            }
        }
        session.pump(log)
        session.sent(session.output.count)
    }
    let step = max(1, Int(bytes.first ?? 0))
    var rest = bytes.dropFirst()
    while !rest.isEmpty {
        session.received(rest.prefix(step))
        rest = rest.dropFirst(step)
        answer()
    }
    precondition(session.wantsInput && session.output.isEmpty)
    _ = ControlReply(parsing: Array(bytes), limits: JSONLimits())
}
