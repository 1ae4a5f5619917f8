// SPDX-License-Identifier: Apache-2.0
import Alerting
import Collecting
import Network
import Reports
import Signing
import SyslogMessages
import System
import Time
import Transfer

/// Tells what waits in the store: to a webhook, and to a collector of logs. A message leaves the store after it was told.
/// - Thread: that of the alerts only.
struct AlertTelling {
    enum Target: String, CaseIterable {
        case webhook, syslog
    }

    /// Messages that are read at a time.
    private static let portion = 100
    private static let timeout = Nanoseconds.seconds(20)
    /// The receiver may answer anything, which nobody reads.
    private static let mostAnswerOctets = 64 << 10

    private let configuration: AlertConfiguration
    private let shared: AlertDesk.Shared
    let targets: [Target]
    private var transfers: TransferClient?
    private var schedules: [Target: DeliverySchedule] = [:]
    private var waiting: [Target: [AlertMessage]] = [:]
    /// Whether the store may have more than is in `waiting`.
    private var unread = Set(Target.allCases)
    private var current: (transfer: TransferClient.Transfer, message: AlertMessage)?
    private var socket: SendingSocket?
    private var random = SystemRandomNumberGenerator()

    init(_ configuration: AlertConfiguration, _ shared: AlertDesk.Shared) {
        self.configuration = configuration
        self.shared = shared
        targets = Target.allCases.filter { target in
            switch target {
            case .webhook: configuration.webhook.url != nil
            case .syslog: configuration.syslog.collector != nil
            }
        }
    }

    mutating func stop() { transfers?.stop() }

    /// What waits is read anew: another reporter may have told it.
    mutating func restart() {
        waiting = [:]
        hasMore()
    }

    mutating func hasMore() { unread = Set(Target.allCases) }

    /// Sends what is due.
    /// - Returns: when something is due again, unless an answer comes before.
    mutating func turn(_ keeper: AlertKeeper, _ now: Monotonic) throws(StoreError) -> Monotonic {
        try takeAnswers(keeper, now)
        var next = Monotonic(nanoseconds: .max)
        for target in Target.allCases {
            if waiting[target]?.isEmpty != false, unread.contains(target) {
                let read = try keeper.waiting(target.rawValue, Self.portion)
                waiting[target] = read
                if read.count < Self.portion { unread.remove(target) }
            }
            guard let messages = waiting[target], let first = messages.first else { continue }
            guard targets.contains(target) else {
                // Nobody is to be told that way any more.
                try keeper.told(messages.map(\.number))
                waiting[target] = []
                next = now
                continue
            }
            let schedule = schedules[target] ?? DeliverySchedule()
            guard schedule.isDue(at: now) else {
                if !schedule.isUnderWay { next = min(next, schedule.due) }
                continue
            }
            switch target {
            case .webhook: post(first, schedule)
            case .syslog: next = min(next, try log(messages, keeper, now))
            }
        }
        return next
    }

    private mutating func ended(_ target: Target, _ outcome: DeliverySchedule.Outcome, _ now: Monotonic) -> Bool {
        var schedule = schedules[target] ?? DeliverySchedule()
        defer { schedules[target] = schedule }
        return schedule.ended(outcome, at: now, &random)
    }

    // MARK: Webhook

    private mutating func post(_ message: AlertMessage, _ schedule: DeliverySchedule) {
        let wakeup = shared.wakeup
        if transfers == nil { transfers = try? TransferClient { wakeup.signal() } }  // without a thread, another time
        guard let transfers else { return }
        var schedule = schedule
        schedule.began()
        schedules[.webhook] = schedule
        current = (transfers.begin(request(message)), message)
    }

    private func request(_ message: AlertMessage) -> TransferRequest {
        let webhook = configuration.webhook
        var request = TransferRequest(
            webhook.url ?? "", mostOctets: Self.mostAnswerOctets, timeout: Self.timeout, fields: ["Retry-After"])
        request.method = .post
        request.trust = webhook.pinnedKey.map { .key($0) } ?? webhook.authorities.map { .authorities($0) } ?? .system
        request.keepsConnection = true
        request.body = Array(message.text.utf8)
        request.header = [.init("Content-Type", "application/json")]
        if let alert = try? Alert(parsing: request.body) {
            // The same again means the same message.
            request.header.append(.init("Idempotency-Key", "\(alert.id)-\(alert.isOpen ? "opened" : "ended")"))
        }
        if let token = webhook.token { request.header.append(.init("Authorization", "Bearer \(token)")) }
        if let secret = webhook.secret, let code = MessageCode.octets(of: request.body, secret: Array(secret.utf8)) {
            let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            request.header.append(.init("Touchline-Signature", "sha256=\(digits)"))
        }
        return request
    }

    private mutating func takeAnswers(_ keeper: AlertKeeper, _ now: Monotonic) throws(StoreError) {
        for report in transfers?.takeReports() ?? [] {
            guard let (transfer, message) = current, report.transfer == transfer else { continue }
            current = nil
            let outcome: DeliverySchedule.Outcome =
                switch report.result {
                case .success(let response):
                    DeliverySchedule.Outcome(
                        status: response.status, retryAfter: response.fields["retry-after"].flatMap { Int64($0) })
                // It was delivered if there is a status; what it says beside is not read.
                case .failure: .failed(retryAfter: nil)
                }
            shared.count { counters in
                switch outcome {
                case .delivered: counters.posted += 1
                case .refused: counters.refusedPosts += 1
                case .failed: counters.failedPosts += 1
                }
            }
            guard ended(.webhook, outcome, now) else { continue }
            waiting[.webhook]?.removeAll { $0.number == message.number }
            try keeper.told([message.number])
        }
    }

    // MARK: Syslog

    private mutating func log(
        _ messages: [AlertMessage], _ keeper: AlertKeeper, _ now: Monotonic
    ) throws(StoreError) -> Monotonic {
        var sent: [Int64] = []
        var isFailed = false
        for message in messages {
            do throws(SystemCallError) {
                if socket == nil {
                    socket = try SendingSocket(
                        to: configuration.syslog.collector ?? "", port: configuration.syslog.port, hops: 64)
                }
                let octets = Self.datagram(message)
                let result = octets.withUnsafeBytes { bytes in
                    Result { () throws(SystemCallError) in try socket?.send(bytes) }
                }
                try result.get()
                sent.append(message.number)
            } catch {
                isFailed = true
                break
            }
        }
        let count = sent.count
        shared.count { counters in
            counters.datagrams += UInt64(count)
            if isFailed { counters.failedDatagrams += 1 }
        }
        _ = ended(.syslog, isFailed ? .failed(retryAfter: nil) : .delivered, now)
        waiting[.syslog] = Array(messages.dropFirst(sent.count))
        if !sent.isEmpty { try keeper.told(sent) }
        return isFailed ? schedules[.syslog]?.due ?? now : now
    }

    /// The alert's time is that of the message: it may have waited.
    private static func datagram(_ message: AlertMessage) -> [UInt8] {
        guard let alert = try? Alert(parsing: Array(message.text.utf8)) else { return [] }
        let severity =
            if alert.isOpen {
                switch alert.severity {
                case .critical: 2
                case .error: 3
                case .warning: 4
                case .notice: 5
                }
            } else {
                5
            }
        let fields = "id=\(alert.id) rule=\(alert.rule) box=\(alert.box ?? "-") boxes=\(alert.boxes)"
        return SyslogMessage(
            severity: severity, time: alert.until ?? alert.since, host: SystemName.host, program: "touchline-reporter",
            kind: alert.isOpen ? "alert" : "alert-ended", text: "\(fields) \(alert.text)"
        ).octets
    }
}
