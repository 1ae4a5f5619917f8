// SPDX-License-Identifier: Apache-2.0
import Commands
import Enrolling
import JSON
import Journal
import Provisioning
import System
import Time
import Transfer

/// Asks a server for orders and reports to it, by the settings: what `OrderPull` decides, it carries out.
/// - Thread: the control loop's only.
final class OrderPuller {
    /// An answer is an envelope, with what JSON may put round it.
    private static let mostOctets = 416 << 10
    /// For the connection and the transfer, beside the time that the server may wait.
    private static let transferTime = Nanoseconds.seconds(20)
    /// A report that changes often is sent no oftener than this.
    private static let reportPause = Nanoseconds.seconds(2)
    /// A report is sent this often although nothing has changed, so that the server knows of the box.
    private static let reportInterval = Nanoseconds.seconds(600)
    private static let longestReportPause = Nanoseconds.seconds(120)

    private let log: Log
    private let credential: BoxCredential
    private let box: String
    private let loop: EventLoop
    /// Judges an envelope. The answer is nil if there was no time for it.
    private let judge: ([UInt8], _ done: @escaping (SettingsReport.Judgement?) -> Void) -> Void
    private let report: () -> SettingsReport
    private var settings = PullSettings()
    private var transfers: TransferClient?
    private var waker: Waker?
    private var pull: OrderPull?
    private var question: TransferClient.Transfer?
    private var reporting: (transfer: TransferClient.Transfer, report: SettingsReport)?
    private var reported: SettingsReport?
    private var reportDue = Monotonic(nanoseconds: 0)
    private var reportFailures = 0
    private(set) var judged: SettingsReport.Judgement?
    private(set) var reportProblem: String?
    /// How often a server answered as it should since the start.
    private(set) var answers: UInt64 = 0
    private var random = SystemRandomNumberGenerator()

    init(
        box: String, credential: BoxCredential, loop: EventLoop, log: Log,
        judge: @escaping ([UInt8], _ done: @escaping (SettingsReport.Judgement?) -> Void) -> Void,
        report: @escaping () -> SettingsReport
    ) {
        (self.box, self.credential, self.loop, self.log) = (box, credential, loop, log)
        (self.judge, self.report) = (judge, report)
    }

    /// Why the server was not heard when it was asked last; nil if it was, or if none is asked.
    var problem: String? { pull?.problem }
    var url: String? { settings.url }
    var hasServer: Bool { settings.url != nil || settings.report != nil }

    func follow(_ new: PullSettings) {
        guard new != settings else { return }
        let isElsewhere = new.url != settings.url
        settings = new
        abandon()
        reported = nil
        (reportDue, reportFailures, reportProblem) = (SystemClock.monotonic(), 0, nil)
        guard new.url != nil || new.report != nil else { return pull = nil }
        if isElsewhere { judged = nil }
        pull = new.url.map { _ in OrderPull(wait: .seconds(Int64(new.waitS)), at: SystemClock.monotonic()) }
        openTransfers()
    }

    func tick(at now: Monotonic) {
        perform(pull?.tick(at: now))
        tellReport(at: now)
    }

    func stop() {
        abandon()
        pull = nil
    }

    private func openTransfers() {
        do throws(SystemCallError) {
            let inbox = LateHandler()
            let waker = try loop.makeWaker { inbox.handler() }
            self.waker = waker
            transfers = try TransferClient { waker.wake() }
            inbox.handler = { [weak self] in self?.takeReports() }
        } catch {
            log(.error, "no server is asked for orders", ["why": error])
            abandon()
        }
    }

    private func abandon() {
        transfers?.stop()
        if let waker { loop.remove(waker) }
        (transfers, waker, question, reporting) = (nil, nil, nil, nil)
    }

    // MARK: Orders

    private func perform(_ action: OrderPull.Action?) {
        switch action {
        case .ask(let tag): ask(tag)
        case .give(let octets):
            judge(octets) { [weak self] judgement in
                guard let self else { return }
                let now = SystemClock.monotonic()
                let isBusy = judgement == nil
                pull?.judged(isBusy: isBusy, at: now)
                if var judgement, let tag = pull?.tag {
                    judgement.tag = tag
                    judged = judgement
                }
            }
        case nil: break
        }
    }

    private func ask(_ tag: String?) {
        guard let text = settings.url, let server = OrderServerURL(text), let transfers else { return }
        var url = server.url(of: box)
        url += (url.contains("?") ? "&" : "?") + "wait=\(settings.waitS)"
        var request = request(server, url)
        request.timeout = .seconds(Int64(settings.waitS)) + Self.transferTime
        request.fields = ["ETag", "Retry-After"]
        if let tag { request.header.append(.init("If-None-Match", tag)) }
        question = transfers.begin(request)
    }

    private func request(_ server: OrderServerURL, _ url: String) -> TransferRequest {
        var request = TransferRequest(url, mostOctets: Self.mostOctets, timeout: Self.transferTime)
        request.trust =
            settings.pinnedKey.map { .key($0) } ?? settings.authorities.map { .authorities($0) } ?? .system
        request.mayBeNear = server.isNear
        if let token = settings.token ?? credential.bearer(for: url) {
            request.header.append(.init("Authorization", "Bearer \(token)"))
        }
        return request
    }

    private func takeReports() {
        for ended in transfers?.takeReports() ?? [] {
            if ended.transfer == question {
                question = nil
                answered(ended.result)
            } else if let (transfer, report) = reporting, ended.transfer == transfer {
                reporting = nil
                reportEnded(ended.result, report)
            }
        }
    }

    private func answered(_ result: Result<TransferResponse, TransferFailure>) {
        let before = pull?.problem
        let answer: OrderPull.Answer =
            switch result {
            case .failure(let failure): .failure("\(failure)")
            case .success(let response): Self.answer(response)
            }
        let action = pull?.answered(answer, at: SystemClock.monotonic(), &random)
        if let pull, pull.problem == nil { answers += 1 }
        if let problem = pull?.problem, problem != before {
            log(.warning, "no order from the server", ["why": problem])
        } else if before != nil, pull?.problem == nil {
            log(.notice, "the server answers again")
        }
        perform(action)
        perform(pull?.tick(at: SystemClock.monotonic()))
    }

    private static func answer(_ response: TransferResponse) -> OrderPull.Answer {
        switch response.status {
        case 200: .document(response.octets, tag: response.fields["etag"].flatMap { isTag($0) ? $0 : nil })
        case 204, 304, 404: .nothing(tag: response.fields["etag"])
        default:
            .failure(
                "the server answered \(response.status); expected 200 with an order, or 204, 304 or 404",
                retryAfter: response.fields["retry-after"].flatMap { Int64($0) })
        }
    }

    /// It is sent back as it came, in a line of a header.
    private static func isTag(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7e).contains($0) } }

    // MARK: Reports

    private func tellReport(at now: Monotonic) {
        guard let text = settings.report, let server = OrderServerURL(text), let transfers, reporting == nil,
            now >= reportDue
        else { return }
        let report = report()
        guard report != reported || now >= reportDue + Self.reportInterval else { return }
        var request = request(server, server.url(of: box))
        request.method = .put
        request.body = report.json.octets()
        request.header.append(.init("Content-Type", "application/json"))
        reporting = (transfers.begin(request), report)
    }

    private func reportEnded(_ result: Result<TransferResponse, TransferFailure>, _ report: SettingsReport) {
        let now = SystemClock.monotonic()
        let problem: String? =
            switch result {
            case .success(let response) where (200...299).contains(response.status): nil
            case .success(let response): "the server answered \(response.status); expected 200 or 204"
            case .failure(let failure): "\(failure)"
            }
        if let problem, problem != reportProblem { log(.warning, "the report is not taken", ["why": problem]) }
        reportProblem = problem
        guard problem != nil else {
            (reported, reportFailures) = (report, 0)
            answers += 1
            return reportDue = now + Self.reportPause
        }
        reportFailures += 1
        let pause = min(Self.longestReportPause, Self.reportPause * (Int64(1) << min(reportFailures, 16)))
        reportDue = now + pause * Int64.random(in: 750...1_250, using: &random) / 1_000
    }
}
