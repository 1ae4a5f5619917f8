// SPDX-License-Identifier: Apache-2.0
import Database
import HTTP
import JSON
import Journal
import Provisioning
import Web

/// Desired and reported settings, and roll-outs.
extension Reporter {
    // MARK: Changes

    /// Changes the state if the disk has it, and answers whom that concerns.
    func commit(
        box: String? = nil, envelope: String? = nil,
        _ change: (inout DesiredState) throws(ReporterRefusal) -> [Int64]
    ) throws(ReporterRefusal) {
        var new = state
        let numbers = try change(&new)
        do throws(DatabaseError) {
            try store.write(new, box: box, rollouts: numbers, envelope: envelope)
        } catch {
            log(.error, "nothing is kept", ["why": error])
            throw ReporterRefusal(503, "the database does not take it: \(error)")
        }
        tell(numbers, new)
        state = new
        if let envelope, let number = state.rollouts.last?.number { envelopes[number] = envelope }
        if !numbers.isEmpty { answerWaiting() }
    }

    func change(box: String?, envelope: String?, _ change: (inout DesiredState) -> [Int64]) {
        var new = state
        guard !change(&new).isEmpty else { return }
        try? commit { (state) throws(ReporterRefusal) in change(&state) }  // it has been logged, and is tried again
    }

    private func tell(_ numbers: [Int64], _ new: DesiredState) {
        for number in numbers {
            guard let rollout = new.rollouts.first(where: { $0.number == number }) else { continue }
            let before = state.rollouts.first { $0.number == number }
            guard before?.state != rollout.state || before?.begun != rollout.begun else { continue }
            var why = ""
            if case .stopped(let reason) = rollout.state { why = reason }
            log(
                why.isEmpty ? .notice : .warning, "roll-out",
                [
                    "rollout": number, "order": rollout.order.revision, "state": rollout.state.word,
                    "wave": rollout.begun, "done": rollout.successes, "failed": rollout.failures, "why": why,
                ])
        }
    }

    // MARK: Orders

    private func answerWaiting() {
        for (client, question) in waiting { offer(client, question, waits: true) }
    }

    /// Answers a box if there is something else for it than it has.
    func offer(_ client: WebClient, _ question: Waiting, waits: Bool) {
        guard let rollout = state.desired(of: question.box), let envelope = envelopes[rollout.number],
            question.tag != "\"\(rollout.tag)\""
        else {
            if waits {
                waiting[client] = question
            } else {
                server?.respond(to: client, notModified(question.tag))
            }
            return
        }
        waiting[client] = nil
        var response = Self.document(200, nil)
        response.body = .octets(Array(envelope.utf8))
        response.fields.append(("ETag", "\"\(rollout.tag)\""))
        server?.respond(to: client, response)
    }

    func notModified(_ tag: String?) -> HTTPResponse {
        guard let tag else { return HTTPResponse(204) }
        return HTTPResponse(304, fields: [("ETag", tag)])
    }
}
