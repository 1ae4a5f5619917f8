// SPDX-License-Identifier: Apache-2.0
import Enrolling
import JSON
import Provisioning
import Reports
import SignedEnvelopes
import Signing
import System
import Time
import Transfer

/// Sends the requests by which the box enrols, and reads the answers.
/// - Thread: that of the reports only.
final class EnrolmentSending {
    /// Less than the machine waits, so that a request ends by itself.
    private static let timeout = Nanoseconds.seconds(28)
    /// What the URL of reports ends with, if there is a reporter that enrols boxes.
    private static let ending = "/v1/boxes/{box}/reports"

    struct Answer {
        let request: UInt64
        let answer: BoxEnrolment.Answer
        var retryAfter: Int64?
        /// nil unless the box is enrolled by it.
        var credential: String?
    }

    private let wake: @Sendable () -> Void
    private var transfers: TransferClient?
    private var current: (transfer: TransferClient.Transfer, request: UInt64, isNonce: Bool)?

    /// - Parameter wake: called on another thread when there are answers.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Where the reporter's paths begin; nil if the URL of reports has another form.
    static func root(of url: String?) -> String? {
        guard let url, url.hasSuffix(ending) else { return nil }
        return String(url.dropLast(ending.count))
    }

    /// Asks for a nonce.
    func askNonce(_ request: UInt64, at root: String, by settings: ReportsSettings) -> BoxEnrolment.Answer? {
        begin(request, root + "/v1/nonce", nil, by: settings)
    }

    /// - Returns: what came of it at once; nil if an answer is awaited.
    func ask(
        _ request: UInt64, _ asked: EnrolmentRequest, signedBy key: SigningKey, at root: String,
        by settings: ReportsSettings
    ) -> BoxEnrolment.Answer? {
        let plain = SignedEnvelope(payloadType: EnrolmentRequest.payloadType, payload: asked.octets)
        let signature = SignedEnvelope.Signature(keyID: "box", octets: key.signature(of: plain.signedOctets))
        let envelope = SignedEnvelope(
            payloadType: plain.payloadType, payload: plain.payload, signatures: [signature])
        return begin(request, root + "/v1/enrolments", envelope.json.octets(), by: settings)
    }

    private func begin(
        _ request: UInt64, _ url: String, _ body: [UInt8]?, by settings: ReportsSettings
    ) -> BoxEnrolment.Answer? {
        guard let server = OrderServerURL(url), server.isSecure || server.isNear else {
            return .impossible(why: "reports.url is no https; expected it, since a credential is sent there")
        }
        var transfer = TransferRequest(
            url, mostOctets: EnrolmentAnswer.mostOctets, timeout: Self.timeout, fields: ["Retry-After"])
        transfer.trust = settings.trust
        transfer.mayBeNear = server.isNear
        transfer.keepsConnection = true
        if let body {
            transfer.method = .post
            transfer.body = body
            transfer.header = [.init("Content-Type", "application/json")]
        }
        do throws(SystemCallError) {
            if transfers == nil { transfers = try TransferClient(wake: wake) }
            guard let transfers else { return nil }
            current = (transfers.begin(transfer), request, body == nil)
            return nil
        } catch {
            return .failed(why: "\(error)")
        }
    }

    func takeAnswers() -> [Answer] {
        (transfers?.takeReports() ?? []).compactMap { ended in
            guard let (transfer, request, isNonce) = current, ended.transfer == transfer else { return nil }
            current = nil
            switch ended.result {
            case .success(let response): return answer(request, response, isNonce: isNonce)
            case .failure(let failure): return Answer(request: request, answer: .failed(why: "\(failure)"))
            }
        }
    }

    private func answer(_ request: UInt64, _ response: TransferResponse, isNonce: Bool) -> Answer {
        let retryAfter = response.fields["retry-after"].flatMap { Int64($0) }
        let read = try? EnrolmentAnswer(parsing: response.octets)  // what is none is told by its status
        func made(_ answer: BoxEnrolment.Answer, _ credential: String? = nil) -> Answer {
            Answer(request: request, answer: answer, retryAfter: retryAfter, credential: credential)
        }
        switch (response.status, isNonce) {
        case (200, true):
            guard let nonce = read?.nonce else { break }
            return made(.nonce(nonce))
        case (201, false):
            guard let credential = read?.credential else { break }
            return made(.enrolled, credential)
        case (202, false): return made(.pending(why: read?.why ?? "somebody has to approve it"))
        case (403, false): return made(.refused(why: Self.why(response) ?? "the reporter refuses the box"))
        case (401, true), (404, _), (405, _):
            return made(.impossible(why: "the reporter enrols no boxes; expected reports.token"))
        default: break
        }
        let why = Self.why(response).map { ": \($0)" } ?? ""
        return made(.failed(why: "the reporter answered \(response.status) to the enrolment\(why)"))
    }

    /// The sentence of a refusal, if the answer is one of a reporter.
    private static func why(_ response: TransferResponse) -> String? {
        guard response.status >= 400,
            let document = try? JSONValue.parse(
                response.octets, limits: JSONLimits(maximumDepth: 3, maximumOctets: 16 << 10, maximumValues: 32)),
            let text = document["errorString"]?.string
        else { return nil }
        return String(text.prefix(256))
    }

    /// What comes from now on is the answer to no earlier request.
    func disconnect() {
        transfers?.stop()
        (transfers, current) = (nil, nil)
    }
}
