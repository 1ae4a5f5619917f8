// SPDX-License-Identifier: Apache-2.0
import Enrolling
import HTTP
import JSON
import Journal
import Reports
import Signing
import System
import Time

/// Boxes that ask to be known, and what people decide about them. What is answered is on the disk.
extension Reporter {
    func perform(
        _ wish: EnrolmentWish, by caller: ReporterCaller
    ) throws(ReporterRefusal) -> HTTPResponse {
        switch wish {
        case .nonce:
            return Self.document(
                200, ["nonce": .string(try enrolling.nonce()), "lastsS": .integer(NonceBook.span.seconds)])
        case .enrol(let octets):
            let asked = try enrolling.proven(octets)
            return try answer(asked) { (all, chance, now) in all.enrol(asked, chance: chance, at: now) }
        case .rotate(let box, let octets):
            let asked = try enrolling.proven(octets)
            guard asked.box == box else {
                throw ReporterRefusal(
                    422, "/payload: /box is \"\(asked.box)\"; expected \"\(box)\", as the path has it")
            }
            return try answer(asked) { (all, chance, now) in all.rotate(asked, chance: chance, at: now) }
        case .list(let after, let limit):
            let ids = enrolling.enrolments.pending.keys.filter { $0 > after }.sorted()
            let page = ids.prefix(limit)
            var document: JSONValue = [
                "enrolments": .array(page.compactMap { enrolling.enrolments.pending[$0]?.document })
            ]
            if ids.count > page.count, let last = page.last { document["next"] = .string(last) }
            return Self.document(200, document)
        case .tokens:
            let tokens = enrolling.enrolments.tokens.values.sorted { $0.name < $1.name }
            return Self.document(200, ["tokens": .array(tokens.map { $0.document() })])
        case .decide(let id, let decision): return Self.document(200, try decide(id, decision, caller))
        case .makeToken(let terms): return Self.document(201, try makeToken(terms, caller))
        case .deleteToken(let name):
            try change { (all) throws(Enrolments.Refusal) in try all.deleteToken(name) }
            return tell("enrolment token deleted", ["token": name, "by": caller.name], HTTPResponse(204))
        case .revoke(let box, let why):
            let now = SystemClock.wall()
            let kept = try change { (all) throws(Enrolments.Refusal) in
                try all.revoke(box, why: why, by: caller.name, at: now)
            }
            return tell("revoked", ["box": box, "why": why, "by": caller.name], Self.document(200, kept.document))
        case .forgetClones(let box):
            try change { (all) throws(Enrolments.Refusal) in all.forgetClones(of: box) }
            return tell("clones forgotten", ["box": box, "by": caller.name], HTTPResponse(204))
        case .replace(let replacement): return Self.document(200, try replace(replacement, caller))
        }
    }

    private func tell(_ message: StaticString, _ fields: Log.Fields, _ response: HTTPResponse) -> HTTPResponse {
        log(.notice, message, fields)
        return response
    }

    // MARK: Boxes

    private func answer(
        _ asked: EnrolmentRequest,
        _ ask: (inout Enrolments, [UInt8], WallTime) -> Enrolments.Outcome
    ) throws(ReporterRefusal) -> HTTPResponse {
        let (chance, now) = (try makeChance(), SystemClock.wall())
        let id = PendingBox.id(box: asked.box, publicKey: asked.publicKey)
        let isNew = enrolling.enrolments.pending[id] == nil
        let outcome = try enrolling.commit { (all) throws(ReporterRefusal) in ask(&all, chance, now) }
        switch outcome {
        case .issued(let credential):
            enrolling.counters.issued += 1
            let by = enrolling.enrolments.boxes[asked.box]?.by ?? ""
            return tell(
                "credential given", ["box": asked.box, "by": by],
                Self.document(201, ["box": .string(asked.box), "credential": .string(credential)]))
        case .pending(let each, let isGuess):
            if isGuess { enrolling.counters.unknownTokens += 1 }
            var document = each.document
            document["state"] = "pending"
            let response = Self.document(202, document)
            guard isNew else { return response }
            return tell(
                "a box waits for an approval",
                ["box": each.box, "fingerprint": each.fingerprint ?? "", "why": each.why], response)
        case .refused(let why): throw ReporterRefusal(403, why)
        case .full:
            throw ReporterRefusal(503, "too many boxes wait for an approval, or are known", retryAfter: 300)
        case .unavailable: throw ReporterRefusal(503, "libsodium does not work on this machine")
        }
    }

    private func makeChance() throws(ReporterRefusal) -> [UInt8] {
        guard let chance = try? SystemRandom.bytes(SecretText.tokenOctets) else {
            throw ReporterRefusal(503, "the kernel has no random octets", retryAfter: 5)
        }
        return chance
    }

    // MARK: People

    @discardableResult
    private func change<Result>(
        _ body: (inout Enrolments) throws(Enrolments.Refusal) -> Result
    ) throws(ReporterRefusal) -> Result {
        try enrolling.commit { (all) throws(ReporterRefusal) in
            do throws(Enrolments.Refusal) {
                return try body(&all)
            } catch {
                switch error {
                case .unknown: throw ReporterRefusal(404, "\(error)")
                case .taken, .full, .conflict: throw ReporterRefusal(409, "\(error)")
                case .unavailable: throw ReporterRefusal(503, "\(error)")
                }
            }
        }
    }

    private func decide(
        _ id: String, _ decision: EnrolmentDecision, _ caller: ReporterCaller
    ) throws(ReporterRefusal) -> JSONValue {
        let now = SystemClock.wall()
        guard decision.approve else {
            let each = try change { (all) throws(Enrolments.Refusal) in try all.refuse(id, why: decision.why) }
            log(.notice, "enrolment refused", ["box": each.box, "why": decision.why, "by": caller.name])
            return each.document
        }
        let box = try change { (all) throws(Enrolments.Refusal) in
            try all.approve(id, name: decision.name, tags: decision.tags, by: caller.name, at: now)
        }
        log(.notice, "enrolment approved", ["box": box.box, "by": caller.name])
        return box.document.merging(patch: ["box": .string(box.box)])
    }

    private func makeToken(
        _ terms: EnrolmentTokenTerms, _ caller: ReporterCaller
    ) throws(ReporterRefusal) -> JSONValue {
        let (chance, now) = (try makeChance(), SystemClock.wall())
        let expires = WallTime(nanoseconds: now.nanoseconds + Nanoseconds.seconds(terms.lastsS).count)
        let text = try change { (all) throws(Enrolments.Refusal) in
            try all.makeToken(
                terms.name, uses: terms.uses, expires: expires, boxName: terms.boxName, tags: terms.tags,
                by: caller.name, chance: chance, at: now)
        }
        log(.notice, "enrolment token made", ["token": terms.name, "uses": terms.uses, "by": caller.name])
        return enrolling.enrolments.tokens[terms.name]?.document(text) ?? .null
    }

    private func replace(_ replacement: Replacement, _ caller: ReporterCaller) throws(ReporterRefusal) -> JSONValue {
        let now = SystemClock.wall()
        try change { (all) throws(Enrolments.Refusal) in
            try all.replace(replacement.old, by: replacement.new, person: caller.name, at: now)
        }
        log(.notice, "replaced", ["old": replacement.old, "new": replacement.new, "by": caller.name])
        let box = enrolling.enrolments.boxes[replacement.new]?.document ?? .null
        return box.merging(patch: ["box": .string(replacement.new)])
    }
}
