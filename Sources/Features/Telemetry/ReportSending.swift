// SPDX-License-Identifier: Apache-2.0
import Compression
import Forwarding
import Provisioning
import Reports
import System
import Time
import Transfer

/// Sends batches to the reporter and reads what it answers.
/// - Thread: that of the reports only.
final class ReportSending {
    /// Less than the schedule's deadline, so that a request ends by itself.
    private static let timeout = UploadSchedule.longestRequest - .seconds(2)

    private let box: String
    private let wake: @Sendable () -> Void
    private var transfers: TransferClient?
    private var current: (transfer: TransferClient.Transfer, request: UInt64)?
    /// Why the last answer is none; nil if it is one.
    private(set) var problem: String?
    private(set) var lastRefusal: String?
    /// Of the last answer; nil if there was none.
    private(set) var status: Int?

    /// - Parameter wake: called on another thread when there are answers.
    init(box: String, wake: @escaping @Sendable () -> Void) { (self.box, self.wake) = (box, wake) }

    /// What the reporter said before does not count any more.
    func restart() { (problem, lastRefusal) = (nil, nil) }

    /// - Parameter bearer: sent as the token; nil: none is sent.
    /// - Returns: false if the batch cannot be sent.
    func begin(
        _ request: UInt64, _ batch: SpoolBatch, by settings: ReportsSettings, bearer: String?
    ) -> Bool {
        guard let server = settings.server else { return false }
        do throws(SystemCallError) {
            if transfers == nil { transfers = try TransferClient(wake: wake) }
            guard let transfers else { return false }
            current = (transfers.begin(transfer(batch, to: server, by: settings, bearer)), request)
            return true
        } catch {
            problem = "\(error)"
            return false
        }
    }

    private func transfer(
        _ batch: SpoolBatch, to server: OrderServerURL, by settings: ReportsSettings, _ bearer: String?
    ) -> TransferRequest {
        var transfer = TransferRequest(
            server.url(of: box), mostOctets: ReportAnswer.mostOctets, timeout: Self.timeout, fields: ["Retry-After"])
        transfer.method = .post
        transfer.trust = settings.trust
        transfer.mayBeNear = server.isNear
        transfer.keepsConnection = true
        transfer.header = [.init("Content-Type", ReportBatch.mediaType)]
        if let bearer { transfer.header.append(.init("Authorization", "Bearer \(bearer)")) }
        transfer.body = ReportBatch.octets(of: batch.records.map(\.payload))
        if let compressed = Deflation.gzipIfShorter(transfer.body) {
            transfer.body = compressed
            transfer.header.append(.init("Content-Encoding", "gzip"))
        }
        return transfer
    }

    /// What came of requests, by their numbers.
    func takeAnswers() -> [(request: UInt64, answer: UploadAnswer)] {
        (transfers?.takeReports() ?? []).compactMap { ended in
            guard let (transfer, request) = current, ended.transfer == transfer else { return nil }
            current = nil
            status = nil
            switch ended.result {
            case .success(let response): return (request, answer(response))
            case .failure(let failure):
                problem = "\(failure)"
                return (request, .failed(retryAfter: nil))
            }
        }
    }

    private func answer(_ response: TransferResponse) -> UploadAnswer {
        let retryAfter = response.fields["retry-after"].flatMap { Int64($0) }
        status = response.status
        guard response.status == 200 else {
            problem = "the reporter answered \(response.status); expected 200"
            return .failed(retryAfter: retryAfter)
        }
        do throws(ReportError) {
            let answer = try ReportAnswer(parsing: response.octets)
            guard let judged = UploadAnswer(answer, retryAfter: retryAfter) else {
                return .failed(retryAfter: retryAfter)
            }
            problem = nil
            if let refusal = answer.refused.last { lastRefusal = refusal.why }
            return judged
        } catch {
            problem = "what answered is no reporter: \(error)"
            return .failed(retryAfter: retryAfter)
        }
    }

    /// Closes the connection: what comes over it may be the answer to an earlier request.
    func disconnect() {
        transfers?.stop()
        (transfers, current) = (nil, nil)
    }
}
