// SPDX-License-Identifier: Apache-2.0
import Signing
import Time

/// What people decide.
extension Enrolments {
    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        case unknown(String)
        case taken(String)
        case full(String)
        case conflict(String)
        /// libsodium does not work on this machine.
        case unavailable

        public var description: String {
            switch self {
            case .unknown(let what): "there is no \(what)"
            case .taken(let name): "there is a token \"\(name)\"; expected another name, or delete that one"
            case .full(let what): "there are \(what); expected fewer before there can be another one"
            case .conflict(let why): why
            case .unavailable: "libsodium does not work on this machine"
            }
        }
    }

    /// Takes a key as that of its box. The box gets its credential when it asks the next time. A key that the box had
    /// before, and its credential, count no longer.
    /// - Parameters:
    ///   - name, tags: nil: as the box had them before.
    public mutating func approve(
        _ id: String, name: String?, tags: [String]?, by person: String, at now: WallTime
    ) throws(Refusal) -> EnrolledBox {
        guard let each = pending[id] else { throw .unknown("enrolment \"\(id)\" that waits") }
        let before = boxes[each.box]
        guard before != nil || boxes.count < Self.mostBoxes else { throw .full("\(Self.mostBoxes) boxes") }
        if let owner = box(ofKey: each.publicKey), owner != each.box {
            throw .conflict("the key is that of the box \(owner); expected a box with a key of its own")
        }
        var box = EnrolledBox()
        (box.box, box.publicKey, box.state) = (each.box, each.publicKey, .approved)
        (box.since, box.by) = (now, person)
        (box.name, box.tags) = (name ?? before?.name, tags ?? before?.tags ?? [])
        box.replaces = before?.replaces ?? []
        set(box)
        forgetPending(id)
        return box
    }

    public mutating func refuse(_ id: String, why: String) throws(Refusal) -> PendingBox {
        guard var each = pending[id] else { throw .unknown("enrolment \"\(id)\" that waits") }
        each.refused = why
        pending[id] = each
        touched.pending.insert(id)
        return each
    }

    public mutating func revoke(
        _ box: String, why: String, by person: String, at now: WallTime
    ) throws(Refusal) -> EnrolledBox {
        guard var kept = boxes[box] else { throw .unknown("box \"\(box)\" that has enrolled") }
        (kept.state, kept.since, kept.by, kept.why) = (.revoked, now, person, why)
        set(kept)
        return kept
    }

    /// Gives a box the place of another one: its name and its tags, and nothing is taken of the other one any more.
    /// - Parameter old: need not have enrolled.
    public mutating func replace(
        _ old: String, by new: String, person: String, at now: WallTime
    ) throws(Refusal) {
        guard old != new else { throw .conflict("a box does not replace itself") }
        guard var box = boxes[new], box.state != .revoked else {
            throw .conflict("the box \"\(new)\" is not enrolled; expected it to be, before it replaces another one")
        }
        var before = boxes[old] ?? EnrolledBox()
        if let other = before.replacedBy { throw .conflict("the box \"\(old)\" was replaced by \"\(other)\"") }
        guard !box.replaces.contains(old), !before.replaces.contains(new) else {
            throw .conflict("the box \"\(old)\" had its place from \"\(new)\", or the other way round")
        }
        guard boxes[old] != nil || boxes.count < Self.mostBoxes else { throw .full("\(Self.mostBoxes) boxes") }
        box.replaces = Array(([old] + before.replaces + box.replaces).prefix(EnrolledBox.mostReplaced))
        if before.name != nil { box.name = before.name }
        if !before.tags.isEmpty { box.tags = before.tags }
        (before.box, before.state, before.since, before.by) = (old, .revoked, now, person)
        (before.why, before.replacedBy) = ("it was replaced by \(new)", new)
        set(before)
        set(box)
    }

    // MARK: Tokens

    /// - Parameter chance: `SecretText.tokenOctets` random octets.
    /// - Returns: the token's text, which nobody can ask for again.
    public mutating func makeToken(
        _ name: String, uses: Int64, expires: WallTime, boxName: String?, tags: [String], by person: String,
        chance: [UInt8], at now: WallTime
    ) throws(Refusal) -> String {
        guard tokens[name] == nil else { throw .taken(name) }
        guard tokens.count < Self.mostTokens else { throw .full("\(Self.mostTokens) tokens") }
        let text = SecretText.token(chance)
        guard let digest = SecretText.digest(text) else { throw .unavailable }
        var token = EnrolmentToken()
        (token.name, token.created, token.expires, token.usesLeft) = (name, now, expires, uses)
        (token.by, token.boxName, token.tags, token.digest) = (person, boxName, tags, digest)
        tokens[name] = token
        touched.tokens.insert(name)
        return text
    }

    public mutating func deleteToken(_ name: String) throws(Refusal) {
        guard tokens.removeValue(forKey: name) != nil else { throw .unknown("enrolment token \"\(name)\"") }
        touched.tokens.insert(name)
    }
}
