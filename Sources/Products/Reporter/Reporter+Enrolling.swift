// SPDX-License-Identifier: Apache-2.0
import Enrolling
import HTTP
import JSON
import Reports
import Web

/// Requests about boxes that enrol: the loop answers what changes nothing, the keeper's thread the rest.
extension Reporter {
    func perform(
        _ wish: EnrolmentWish, by caller: ReporterCaller, of client: WebClient
    ) throws(ReporterRefusal) {
        switch wish {
        case .nonce:
            answer(client, ["nonce": .string(try enrolling.nonce()), "lastsS": .integer(NonceBook.span.seconds)])
        case .list(let after, let limit):
            let pending = enrolling.known.enrolments.pending
            let ids = pending.keys.filter { $0 > after }.sorted()
            let page = ids.prefix(limit)
            var document: JSONValue = ["enrolments": .array(page.compactMap { pending[$0]?.document })]
            if ids.count > page.count, let last = page.last { document["next"] = .string(last) }
            answer(client, document)
        case .tokens:
            let tokens = enrolling.known.enrolments.tokens.values.sorted { $0.name < $1.name }
            answer(client, ["tokens": .array(tokens.map { $0.document() })])
        case .enrol(let octets): try pass(wish, try enrolling.proven(octets), by: caller, of: client)
        case .rotate(let box, let octets):
            let asked = try enrolling.proven(octets)
            guard asked.box == box else {
                throw ReporterRefusal(
                    422, "/payload: /box is \"\(asked.box)\"; expected \"\(box)\", as the path has it")
            }
            try pass(wish, asked, by: caller, of: client)
        case .forgetClones(let box):
            enrolling.forgetClones(of: box)
            try pass(wish, nil, by: caller, of: client)
        case .decide, .makeToken, .deleteToken, .revoke, .replace: try pass(wish, nil, by: caller, of: client)
        }
    }

    private func answer(_ client: WebClient, _ document: JSONValue) {
        server?.respond(to: client, Self.document(200, document))
    }

    private func pass(
        _ wish: EnrolmentWish, _ asked: EnrolmentRequest?, by caller: ReporterCaller, of client: WebClient
    ) throws(ReporterRefusal) {
        guard let server else { throw ReporterRefusal(503, "the reporter ends", retryAfter: 5) }
        let work = EnrolmentWork(known: enrolling.known, log: log)
        let isTaken = enrolling.submit { book in
            do throws(ReporterRefusal) {
                server.respond(to: client, try work.perform(wish, asked, by: caller.name, in: book))
            } catch {
                server.respond(to: client, Reporter.refusal(error))
            }
        }
        guard isTaken else { throw ReporterRefusal(503, "too many requests wait for the database", retryAfter: 5) }
    }
}
