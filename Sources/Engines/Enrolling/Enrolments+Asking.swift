// SPDX-License-Identifier: Apache-2.0
import Reports
import SignedEnvelopes
import Signing
import Time

/// What boxes ask.
extension Enrolments {
    /// Why a request proves nothing.
    public enum Unproven: Error, Equatable, Sendable, CustomStringConvertible {
        case envelope(EnvelopeError)
        case request(ReportError)
        case key(KeyError)
        case signature

        public var description: String {
            switch self {
            case .envelope(let error): "\(error)"
            case .request(let error): "/payload: \(error)"
            case .key(let error): "/payload: /publicKey: \(error)"
            case .signature: "/signatures: none is of /publicKey over the payload"
            }
        }
    }

    /// Reads a request that its key has signed. Whether its nonce counts, the caller asks.
    public static func proven(_ octets: [UInt8]) throws(Unproven) -> EnrolmentRequest {
        let envelope: SignedEnvelope
        do throws(EnvelopeError) {
            envelope = try SignedEnvelope(parsing: octets)
            guard envelope.payloadType == EnrolmentRequest.payloadType else {
                throw .otherType(envelope.payloadType, expected: EnrolmentRequest.payloadType)
            }
        } catch {
            throw .envelope(error)
        }
        var request: EnrolmentRequest
        do throws(ReportError) {
            request = try EnrolmentRequest(parsing: envelope.payload)
        } catch {
            throw .request(error)
        }
        let key: VerifyingKey
        do throws(KeyError) {
            key = try VerifyingKey(request.publicKey)
        } catch {
            throw .key(error)
        }
        let signed = envelope.signedOctets
        guard envelope.signatures.contains(where: { key.isSignature($0.octets, of: signed) }) else { throw .signature }
        // One key has one text here, however the box wrote it.
        request.publicKey = key.base64
        return request
    }

    public enum Outcome: Equatable, Sendable {
        /// The box sends this from now on. It is told once.
        case issued(String)
        /// - Parameter isGuess: whether it showed a token that is none.
        case pending(PendingBox, isGuess: Bool)
        case refused(why: String)
        /// Too many wait, or are known.
        case full
        /// libsodium does not work on this machine.
        case unavailable
    }

    /// A box asks to be known, or for another credential.
    /// - Parameters:
    ///   - request: as `proven` has read it.
    ///   - chance: `SecretText.tokenOctets` random octets.
    public mutating func enrol(_ request: EnrolmentRequest, chance: [UInt8], at now: WallTime) -> Outcome {
        if let kept = boxes[request.box], kept.publicKey == request.publicKey, kept.state != .revoked {
            return issue(kept, chance: chance, at: now)
        }
        if let why = obstacle(request, at: now) { return wait(request, why, isGuess: false, at: now) }
        guard let text = request.token else { return wait(request, "it has no token", isGuess: false, at: now) }
        guard let digest = SecretText.digest(text),
            var token = tokens.values.first(where: { $0.digest == digest })
        else { return wait(request, "its token is none of this reporter", isGuess: true, at: now) }
        guard token.counts(at: now) else {
            let why = token.usesLeft == 0 ? "has been used up" : "has expired"
            return wait(request, "its token \"\(token.name)\" \(why)", isGuess: false, at: now)
        }
        guard boxes[request.box] != nil || boxes.count < Self.mostBoxes else { return .full }
        let id = PendingBox.id(box: request.box, publicKey: request.publicKey)
        if let why = pending[id]?.refused { return .refused(why: why) }
        token.usesLeft -= 1
        tokens[token.name] = token
        touched.tokens.insert(token.name)
        forgetPending(id)
        var box = EnrolledBox()
        (box.box, box.publicKey, box.by) = (request.box, request.publicKey, "token \(token.name)")
        (box.name, box.tags) = (token.boxName, token.tags)
        return issue(box, chance: chance, at: now)
    }

    /// Why no token helps; nil if one does.
    private mutating func obstacle(_ request: EnrolmentRequest, at now: WallTime) -> String? {
        let fingerprint = (try? VerifyingKey(request.publicKey))?.fingerprint ?? ""  // `proven` has read it
        if let owner = box(ofKey: request.publicKey), owner != request.box {
            noteClone(of: owner, .id, request.box, at: now)
            return "its key is that of the box \(owner)"
        }
        guard let kept = boxes[request.box] else { return nil }
        if kept.publicKey != request.publicKey, !kept.publicKey.isEmpty {
            noteClone(of: request.box, .key, fingerprint, at: now)
            return "the box \(request.box) has another key"
        }
        return "its credential was revoked: \(kept.why ?? "")"
    }

    private mutating func wait(
        _ request: EnrolmentRequest, _ why: String, isGuess: Bool, at now: WallTime
    ) -> Outcome {
        guard let each = wait(request, why, at: now) else { return .full }
        if let refused = each.refused { return .refused(why: refused) }
        return .pending(each, isGuess: isGuess)
    }

    private mutating func issue(_ box: EnrolledBox, chance: [UInt8], at now: WallTime) -> Outcome {
        let text = SecretText.token(chance)
        guard let digest = SecretText.digest(text) else { return .unavailable }
        var box = box
        if box.state != .enrolled { (box.state, box.since) = (.enrolled, now) }
        if box.credential == nil { box.credential = digest } else { box.next = digest }
        set(box)
        return .issued(text)
    }

    /// A box that is enrolled asks for another credential. The one before counts until the new one has been used.
    public mutating func rotate(_ request: EnrolmentRequest, chance: [UInt8], at now: WallTime) -> Outcome {
        guard let kept = boxes[request.box], kept.publicKey == request.publicKey else {
            return .refused(why: "the box \(request.box) is not enrolled with this key")
        }
        if let why = revocation(of: request.box) { return .refused(why: "its credential was revoked: \(why)") }
        return issue(kept, chance: chance, at: now)
    }
}
