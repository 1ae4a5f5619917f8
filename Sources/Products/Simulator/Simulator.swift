// SPDX-License-Identifier: Apache-2.0
import Compression
import Forwarding
import HTTP
import JSON
import Reports
import Simulating
import System
import Time
import Venue

/// A run of simulated boxes against a real reporter, until its time is over or a signal ends it.
/// - Thread: one, which waits for nothing but its event loop.
public final class Simulator {
    /// How long what waits is still sent when no more reports are made, and how often it is told how things are.
    private static let grace = Nanoseconds.seconds(30)
    private static let lineEach = Nanoseconds.seconds(10)

    private struct Attempt {
        let request: UInt64
        let began: Monotonic
    }

    private let options: SimulatorOptions
    private let token: String
    private let loop: EventLoop
    private let output: (String) -> Void
    private let began: Monotonic
    private var fleet: SimulatedFleet
    private var clock: SimulatedClock
    private var tally = SimulatorTally()
    private var links: [BoxLink] = []
    private var attempts: [Attempt?]
    private var isStopping = false

    /// - Parameter output: takes a line without a line feed.
    /// - Throws: code 78 if the file of the token is none.
    public init(_ options: SimulatorOptions, output: @escaping (String) -> Void) throws(Status) {
        (self.options, self.output) = (options, output)
        token = try Self.token(options.tokenFile)
        do {
            loop = try EventLoop()
            // Boots of two runs differ, though the venue is the same.
            let nonce: UInt64 = try SystemRandom.integer()
            let stories = options.timedStories
            clock = SimulatedClock(outage: stories.first { $0.name == .outage }?.span, speed: options.speed)
            began = SystemClock.monotonic()
            let wall = WallTime(nanoseconds: SystemClock.wall().nanoseconds - clock.lead.count)
            fleet = SimulatedFleet(
                SimulatedVenue(boxCount: options.boxCount, seed: options.seed, stories: stories),
                interval: options.interval, seed: nonce, at: began, wall: wall)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        attempts = Array(repeating: nil, count: options.boxCount)
        fleet.end = options.end.map { began + $0 }
        let wanted = options.boxCount + 64
        let limit = DescriptorLimit.raise(to: wanted)
        guard limit >= wanted else {
            throw .failure(.failed, "this process may open \(limit) files; expected \(wanted) for so many boxes")
        }
        links = (0..<options.boxCount).map { box in
            BoxLink(loop, to: options.server) { [unowned self] in ended(box, $0) }
        }
    }

    static func token(_ path: String) throws(Status) -> String {
        do {
            let octets = try DurableFile.read(path, limit: 4_096) ?? []
            let text = String(decoding: octets, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard text.count == 1, text[0].utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw Status.failure(.configuration, "\(path): expected the boxes' token alone")
            }
            return String(text[0])
        } catch let status as Status {
            throw status
        } catch {
            throw .failure(.configuration, "\(path): \(error)")
        }
    }

    /// - Throws: code 1 if it did not go as it has to.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        do {
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in isStopping = true }
            _ = loop.every(Self.lineEach) { [unowned self] in tell(isFinal: false) }
            while !isOver {
                work()
                let next = fleet.nextDue.map { max(.zero, $0 - now) } ?? .seconds(1)
                try loop.turn(atMost: min(next, clock.isInOutage ? .milliseconds(5) : .seconds(1)))
            }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        for link in links { link.close() }
        tell(isFinal: true)
        try judge()
    }

    /// The boxes' time.
    private var now: Monotonic {
        clock.advance(to: SystemClock.monotonic() - began)
        return began + clock.simulated
    }

    private var isOver: Bool {
        guard !isStopping, let end = options.end else { return isStopping }
        let over = now - began - end
        return over >= Self.grace || over >= .zero && fleet.pendingCount == 0
    }

    private func work() {
        for action in fleet.actions(until: now) {
            switch action {
            case .abandon(let box):
                attempts[box] = nil
                links[box].close()
            case .send(let box, let request, let lines):
                let instant = SystemClock.monotonic()
                attempts[box] = Attempt(request: request, began: instant)
                tally.sent(lines.count, at: instant - began)
                links[box].send(
                    Self.request(of: fleet.venue.identifier(of: box), lines, to: options.server, token))
            }
        }
    }

    /// A request with reports of a sender.
    static func request(
        of sender: String, _ lines: [[UInt8]], to server: ReporterAddress, _ token: String
    ) -> [UInt8] {
        var body = ReportBatch.octets(of: lines)
        var head = """
            POST /v1/boxes/\(sender)/reports HTTP/1.1\r
            Host: \(server.authority)\r
            Authorization: Bearer \(token)\r
            Content-Type: \(ReportBatch.mediaType)\r\n
            """
        if let small = Deflation.gzipIfShorter(body) {
            body = small
            head += "Content-Encoding: gzip\r\n"
        }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private func ended(_ box: Int, _ ending: BoxLink.Ending) {
        guard let attempt = attempts[box] else { return }
        attempts[box] = nil
        var answer = UploadAnswer.failed(retryAfter: nil)
        if case .answered(let whole) = ending { answer = Self.answer(whole) }
        let instant = SystemClock.monotonic()
        let acknowledged = fleet.answered(box, attempt.request, answer, at: now)
        guard case .judged = answer else { return }
        tally.answered(instant - attempt.began, acknowledged: acknowledged, at: instant - began)
    }

    static func answer(_ whole: AnswerReader.Answer) -> UploadAnswer {
        // An answer that is none settles nothing, whatever it is.
        guard whole.status == 200, let answer = try? ReportAnswer(parsing: whole.body) else {
            return .failed(retryAfter: whole.retryAfter)
        }
        return UploadAnswer(answer, retryAfter: whole.retryAfter) ?? .failed(retryAfter: whole.retryAfter)
    }

    // MARK: Telling

    private func tell(isFinal: Bool) {
        let (elapsed, simulated) = (SystemClock.monotonic() - began, now - began)
        output(
            tally.line(fleet, elapsed: elapsed, simulated: simulated, isFinal: isFinal, isJSON: options.isJSON))
    }

    private func judge() throws(Status) {
        if options.isWithoutFaults, fleet.counters.acknowledged < fleet.counters.made {
            throw .failure(
                .failed,
                "\(fleet.counters.made) reports were made and \(fleet.counters.acknowledged) acknowledged; expected all"
            )
        }
        guard let capacity = options.capacity, tally.mostArrived > 2 * Int(capacity) else { return }
        throw .failure(
            .failed,
            "\(tally.mostArrived) reports came in one second; expected at most twice the capacity of \(capacity)")
    }
}
