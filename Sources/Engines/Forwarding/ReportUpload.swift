// SPDX-License-Identifier: Apache-2.0
import Compression
import Reports
import System
import Time
import Transfer

/// Sends batches to a reporter and reads what it answers.
/// - Thread: always the same one.
public final class ReportUpload {
    /// A reporter, and whom to believe that it is the one.
    public struct Server: Equatable, Sendable {
        /// Of the path that takes the reports of this sender.
        public var url: String
        public var token: String?
        public var trust: TransferRequest.Trust
        /// Whether it may be this machine or have a link-local address.
        public var mayBeNear: Bool

        public init(url: String, token: String?, trust: TransferRequest.Trust, mayBeNear: Bool) {
            self.url = url
            self.token = token
            self.trust = trust
            self.mayBeNear = mayBeNear
        }
    }

    /// Less than the schedule's deadline, so that a request ends by itself.
    private static let timeout = UploadSchedule.longestRequest - .seconds(2)

    private let wake: @Sendable () -> Void
    private var transfers: TransferClient?
    private var current: (transfer: TransferClient.Transfer, request: UInt64)?
    /// Why the last answer is none; nil if it is one.
    public private(set) var problem: String?
    public private(set) var lastRefusal: String?
    /// Status of the last answer; nil if none came.
    public private(set) var status: Int?

    /// - Parameter wake: called on another thread when there are answers.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// What a reporter said before does not count any more.
    public func restart() { (problem, lastRefusal) = (nil, nil) }

    /// - Returns: false if the batch cannot be sent.
    public func begin(_ request: UInt64, _ batch: SpoolBatch, to server: Server) -> Bool {
        do throws(SystemCallError) {
            if transfers == nil { transfers = try TransferClient(wake: wake) }
            guard let transfers else { return false }
            current = (transfers.begin(transfer(batch, to: server)), request)
            return true
        } catch {
            problem = "\(error)"
            return false
        }
    }

    private func transfer(_ batch: SpoolBatch, to server: Server) -> TransferRequest {
        var transfer = TransferRequest(
            server.url, mostOctets: ReportAnswer.mostOctets, timeout: Self.timeout, fields: ["Retry-After"])
        transfer.method = .post
        transfer.trust = server.trust
        transfer.mayBeNear = server.mayBeNear
        transfer.keepsConnection = true
        transfer.header = [.init("Content-Type", ReportBatch.mediaType)]
        if let token = server.token { transfer.header.append(.init("Authorization", "Bearer \(token)")) }
        transfer.body = ReportBatch.octets(of: batch.records.map(\.payload))
        if let compressed = Deflation.gzipIfShorter(transfer.body) {
            transfer.body = compressed
            transfer.header.append(.init("Content-Encoding", "gzip"))
        }
        return transfer
    }

    /// What came of requests, by their numbers.
    public func takeAnswers() -> [(request: UInt64, answer: UploadAnswer)] {
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
    public func disconnect() {
        transfers?.stop()
        (transfers, current) = (nil, nil)
    }
}
