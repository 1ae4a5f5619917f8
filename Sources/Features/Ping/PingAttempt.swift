// SPDX-License-Identifier: Apache-2.0
import Commands
import EchoMessages
import Network
import System
import Time
import Venue

/// One use of the command `ping`: a run of requests, with its socket and its timer on the control loop.
final class PingAttempt {
    /// As many octets as those of other pings; the first are this attempt's own, by which its replies are known.
    private static let dataOctets = 56
    private static let tokenOctets = 8
    /// The most messages that are taken in one turn of the loop.
    private static let turnLimit = 32

    /// Everything that is there from the moment at which the address is known.
    private final class Asking {
        let peer: DatagramPeer
        let socket: EchoSocket
        let data: [UInt8]
        var run: EchoRun
        var watch: EventLoop.Watch?

        init(_ peer: DatagramPeer, _ run: EchoRun) throws(SystemCallError) {
            data =
                try SystemRandom.bytes(PingAttempt.tokenOctets)
                + (PingAttempt.tokenOctets..<PingAttempt.dataOctets).map { UInt8($0) }
            self.peer = peer
            self.run = run
            socket = try EchoSocket(to: peer)
        }
    }

    let host: String
    private let count: Int
    private let loop: EventLoop
    private var timer: EventLoop.Timer?
    private var asking: Asking?
    private var report: ((Result<PingAnswer, Status>) -> Void)?

    /// - Parameter report: called once, unless `stop` comes before.
    init(_ host: String, _ count: Int, _ loop: EventLoop, _ report: @escaping (Result<PingAnswer, Status>) -> Void) {
        self.host = host
        self.count = count
        self.loop = loop
        self.report = report
    }

    func stop() {
        report = nil
        release()
    }

    func end(_ result: Result<PingAnswer, Status>) {
        let report = report
        self.report = nil
        release()
        report?(result)
    }

    /// Ends the attempt unless `ask` comes before.
    func giveUp(after span: Nanoseconds, _ why: @escaping () -> Status) {
        timer = loop.after(span) { [weak self] in self?.end(.failure(why())) }
    }

    /// Begins to ask.
    func ask(_ peer: DatagramPeer) {
        cancelTimer()
        do throws(SystemCallError) {
            let asking = try Asking(peer, EchoRun(count: count, now: SystemClock.monotonic()))
            asking.watch = try loop.watch(asking.socket.rawValue, for: .readable) { [weak self] _ in self?.receive() }
            self.asking = asking
            step()
        } catch {
            let hint =
                error.code == .notPermitted && error.call == EchoSocket.opening
                ? "; expected the group of the service in net.ipv4.ping_group_range" : ""
            end(.failure(.failure(.failed, "no echo request can be sent to \(peer.address): \(error)\(hint)")))
        }
    }

    private func step() {
        guard let asking else { return }
        cancelTimer()
        while true {
            let now = SystemClock.monotonic()
            switch asking.run.step(at: now) {
            case .send(let sequence): send(sequence, asking)
            case .wait(let instant): return timer = loop.after(instant - now) { [weak self] in self?.step() }
            case .over:
                return end(
                    .success(PingAnswer(host: host, address: asking.peer.address.description, run: asking.run)))
            }
        }
    }

    private func send(_ sequence: Int, _ asking: Asking) {
        let request = EchoMessage(
            .request, isIPv6: asking.peer.address.isIPv6, sequence: UInt16(truncatingIfNeeded: sequence),
            data: asking.data)
        do throws(SystemCallError) {
            try asking.socket.send(request.octets)
        } catch {
            asking.run.failed(sequence, why: "not sent: \(error.code)")
        }
    }

    private func receive() {
        guard let asking else { return }
        let isIPv6 = asking.peer.address.isIPv6
        for _ in 0..<Self.turnLimit {
            guard let heard = asking.socket.receive() else { break }
            let now = SystemClock.monotonic()
            switch heard {
            case .message(let octets):
                // What is no reply of this attempt's is somebody's mistake or mischief.
                let reply = octets.withUnsafeBytes { try? EchoMessage($0, isIPv6: isIPv6) }
                guard let reply, reply.kind == .reply, reply.data == asking.data else { continue }
                asking.run.answered(Int(reply.sequence), at: now)
            case .problem(let problem):
                // The report may have only the first octets of the request.
                let request = problem.request.withUnsafeBytes { try? EchoMessage($0, isIPv6: isIPv6) }
                guard let request, request.kind == .request else { continue }
                asking.run.failed(Int(request.sequence), why: Self.text(problem, isIPv6: isIPv6))
            }
        }
        step()
    }

    private static func text(_ problem: EchoSocket.Problem, isIPv6: Bool) -> String {
        guard let report = problem.report else { return "not sent: \(problem.code)" }
        let what = DeliveryProblem(isIPv6: isIPv6, type: report.type, code: report.code).text
        return problem.reporter.map { "\(what), says \($0)" } ?? what
    }

    private func cancelTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func release() {
        cancelTimer()
        if let watch = asking?.watch { loop.unwatch(watch) }
        asking = nil
    }
}
