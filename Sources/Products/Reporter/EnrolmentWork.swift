// SPDX-License-Identifier: Apache-2.0
import Enrolling
import HTTP
import JSON
import Journal
import Reports
import Signing
import System
import Time

/// What boxes that ask to be known, and people who decide about them, have done with the book. What is answered is on the disk.
struct EnrolmentWork: Sendable {
    let known: KnownCallers
    let log: Log

    /// - Parameters:
    ///   - asked: what the key of a box has signed, where the wish is that of a box.
    ///   - person: who decides.
    func perform(
        _ wish: EnrolmentWish, _ asked: EnrolmentRequest?, by person: String, in book: EnrolmentBook
    ) throws(ReporterRefusal) -> HTTPResponse {
        switch wish {
        case .enrol, .rotate:
            guard let asked else { preconditionFailure("the loop has read what a box asks") }
            return try answer(asked, isKnown: wish.isOfKnownBox, in: book)
        case .decide(let id, let decision): return Reporter.document(200, try decide(id, decision, person, in: book))
        case .makeToken(let terms): return Reporter.document(201, try makeToken(terms, person, in: book))
        case .deleteToken(let name):
            try change(book) { (all) throws(Enrolments.Refusal) in try all.deleteToken(name) }
            return tell("enrolment token deleted", ["token": name, "by": person], HTTPResponse(204))
        case .revoke(let box, let why):
            let now = SystemClock.wall()
            let kept = try change(book) { (all) throws(Enrolments.Refusal) in
                try all.revoke(box, why: why, by: person, at: now)
            }
            return tell("revoked", ["box": box, "why": why, "by": person], Reporter.document(200, kept.document))
        case .forgetClones(let box):
            try change(book) { (all) throws(Enrolments.Refusal) in all.forgetClones(of: box) }
            return tell("clones forgotten", ["box": box, "by": person], HTTPResponse(204))
        case .replace(let replacement): return Reporter.document(200, try replace(replacement, person, in: book))
        case .nonce, .list, .tokens: preconditionFailure("the loop answers what changes nothing")
        }
    }

    private func tell(_ message: StaticString, _ fields: Log.Fields, _ response: HTTPResponse) -> HTTPResponse {
        log(.notice, message, fields)
        return response
    }

    // MARK: Boxes

    private func answer(
        _ asked: EnrolmentRequest, isKnown: Bool, in book: EnrolmentBook
    ) throws(ReporterRefusal) -> HTTPResponse {
        let (chance, now) = (try Self.makeChance(), SystemClock.wall())
        let id = PendingBox.id(box: asked.box, publicKey: asked.publicKey)
        var isNew = false
        let outcome = try book.commit { (all) throws(ReporterRefusal) in
            isNew = all.pending[id] == nil
            return isKnown
                ? all.rotate(asked, chance: chance, at: now) : all.enrol(asked, chance: chance, at: now)
        }
        switch outcome {
        case .issued(let credential):
            known.count(\.issued)
            return tell(
                "credential given", ["box": asked.box, "by": book.enrolments.boxes[asked.box]?.by ?? ""],
                Reporter.document(201, ["box": .string(asked.box), "credential": .string(credential)]))
        case .pending(let each, let isGuess):
            if isGuess { known.count(\.unknownTokens) }
            let response = Reporter.document(202, each.document.merging(patch: ["state": "pending"]))
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

    private static func makeChance() throws(ReporterRefusal) -> [UInt8] {
        guard let chance = try? SystemRandom.bytes(SecretText.tokenOctets) else {
            throw ReporterRefusal(503, "the kernel has no random octets", retryAfter: 5)
        }
        return chance
    }

    // MARK: People

    @discardableResult
    private func change<Result>(
        _ book: EnrolmentBook, _ body: (inout Enrolments) throws(Enrolments.Refusal) -> Result
    ) throws(ReporterRefusal) -> Result {
        try book.commit { (all) throws(ReporterRefusal) in
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
        _ id: String, _ decision: EnrolmentDecision, _ person: String, in book: EnrolmentBook
    ) throws(ReporterRefusal) -> JSONValue {
        let now = SystemClock.wall()
        guard decision.approve else {
            let each = try change(book) { (all) throws(Enrolments.Refusal) in try all.refuse(id, why: decision.why) }
            log(.notice, "enrolment refused", ["box": each.box, "why": decision.why, "by": person])
            return each.document
        }
        let box = try change(book) { (all) throws(Enrolments.Refusal) in
            try all.approve(id, name: decision.name, tags: decision.tags, by: person, at: now)
        }
        log(.notice, "enrolment approved", ["box": box.box, "by": person])
        return box.document.merging(patch: ["box": .string(box.box)])
    }

    private func makeToken(
        _ terms: EnrolmentTokenTerms, _ person: String, in book: EnrolmentBook
    ) throws(ReporterRefusal) -> JSONValue {
        let (chance, now) = (try Self.makeChance(), SystemClock.wall())
        let expires = WallTime(nanoseconds: now.nanoseconds + Nanoseconds.seconds(terms.lastsS).count)
        let text = try change(book) { (all) throws(Enrolments.Refusal) in
            try all.makeToken(
                terms.name, uses: terms.uses, expires: expires, boxName: terms.boxName, tags: terms.tags,
                by: person, chance: chance, at: now)
        }
        log(.notice, "enrolment token made", ["token": terms.name, "uses": terms.uses, "by": person])
        return book.enrolments.tokens[terms.name]?.document(text) ?? .null
    }

    private func replace(
        _ replacement: Replacement, _ person: String, in book: EnrolmentBook
    ) throws(ReporterRefusal) -> JSONValue {
        let now = SystemClock.wall()
        try change(book) { (all) throws(Enrolments.Refusal) in
            try all.replace(replacement.old, by: replacement.new, person: person, at: now)
        }
        log(.notice, "replaced", ["old": replacement.old, "new": replacement.new, "by": person])
        let box = book.enrolments.boxes[replacement.new]?.document ?? .null
        return box.merging(patch: ["box": .string(replacement.new)])
    }
}

extension EnrolmentWish {
    /// Whether it is that of a box that is enrolled, for another credential.
    fileprivate var isOfKnownBox: Bool { if case .rotate = self { true } else { false } }
}
