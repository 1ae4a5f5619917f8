// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import SignedEnvelopes
import Signing
import TestSupport
import Testing
import Time

@testable import Enrolling

@Suite struct ProofTests {
    private func why(_ octets: [UInt8]) -> String? {
        do throws(Enrolments.Unproven) {
            _ = try Enrolments.proven(octets)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func whatItsKeySignedIsRead() throws {
        let request = try World.request("a", 1, token: "tl-abc")
        let envelope = try World.envelope(request, signedBy: 1)
        #expect(try Enrolments.proven(envelope.json.octets()) == request)
        // A member of a later version is signed and left alone.
        let later = request.json.merging(patch: ["colour": "red"])
        let plain = SignedEnvelope(payloadType: EnrolmentRequest.payloadType, payload: later.octets())
        let signed = SignedEnvelope(
            payloadType: plain.payloadType, payload: plain.payload,
            signatures: [.init(keyID: "box", octets: try World.key(1).signature(of: plain.signedOctets))])
        #expect(try Enrolments.proven(signed.json.octets()) == request)
    }

    @Test func anotherKeyProvesNothing() throws {
        let request = try World.request("a", 1)
        #expect(why(try World.envelope(request, signedBy: 2).json.octets())?.contains("/signatures") == true)
        var other = request
        other.publicKey = String(repeating: "A", count: 60)
        #expect(why(try World.envelope(other, signedBy: 1).json.octets())?.contains("/publicKey") == true)
        other.publicKey = "x"
        #expect(why(try World.envelope(other, signedBy: 1).json.octets())?.contains("/publicKey") == true)
        let order = SignedEnvelope(
            payloadType: SignedOrder.payloadType, payload: [], signatures: [.init(keyID: "a", octets: [1])])
        #expect(why(order.json.octets())?.contains("enrolment") == true)
        for text in ["", "{", "[]", "<html>"] { #expect(why(Array(text.utf8)) != nil, "\(text)") }
    }

    @Test func mutatedRequestsProveNothing() throws {
        let request = try World.request("a", 1, token: "tl-abc")
        let octets = try World.envelope(request, signedBy: 1).json.octets()
        for count in 0..<octets.count { #expect(why(Array(octets.prefix(count))) != nil, "\(count)") }
        var mutation = Mutation(seed: 5)
        for _ in 0..<Mutation.count(usual: 2_000) {
            // Blanks, or the key's name, may change. What is read is what was signed all the same.
            if let read = try? Enrolments.proven(mutation.damage(octets)) { #expect(read == request) }
        }
        for count in 0..<request.octets.count {
            #expect(throws: ReportError.self) { try EnrolmentRequest(parsing: Array(request.octets.prefix(count))) }
        }
    }

    @Test func answersAreRead() throws {
        var answer = EnrolmentAnswer()
        (answer.credential, answer.nonce, answer.why) = ("tl-abc", "n", "because")
        #expect(try EnrolmentAnswer(parsing: answer.octets) == answer)
        #expect(try EnrolmentAnswer(parsing: Array(#"{"state":"pending","more":[1]}"#.utf8)) == EnrolmentAnswer())
        for text in ["<html>", #"{"credential":"a b"}"#, #"{"credential":""}"#, #"{"credential":7}"#, "[]"] {
            #expect(throws: ReportError.self, "\(text)") { try EnrolmentAnswer(parsing: Array(text.utf8)) }
        }
        var mutation = Mutation(seed: 6)
        for _ in 0..<Mutation.count(usual: 2_000) { _ = try? EnrolmentAnswer(parsing: mutation.damage(answer.octets)) }
    }

    @Test func aNonceCountsOnceAndNotLong() throws {
        var book = try #require(NonceBook(chance: [UInt8](repeating: 1, count: 32)))
        let now = Monotonic(nanoseconds: 5_000_000_000)
        let one = book.nonce(chance: [1, 2, 3, 4, 5, 6, 7, 8], at: now)
        let other = book.nonce(chance: [UInt8](repeating: 0, count: 8), at: now)
        #expect(one != other)
        var foreign = try #require(NonceBook(chance: [UInt8](repeating: 2, count: 32)))
        #expect(foreign.use(one, at: now) == false)
        #expect(book.use(one, at: now) == true)
        #expect(book.use(one, at: now) == false)
        #expect(book.use(other, at: now + NonceBook.span) == false)
        #expect(book.use(other, at: now + .seconds(119)) == true)
        for wrong in ["", "x", one + "=", String(one.dropLast()), String(one.reversed())] {
            let isUsed = book.use(wrong, at: now)
            #expect(!isUsed, "\(wrong)")
        }
    }
}
