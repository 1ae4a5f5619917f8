// SPDX-License-Identifier: Apache-2.0
import Compression
import Forwarding
import HTTP
import Reports
import System
import Time
import Venue

/// The connections of simulated senders to a reporter: each has one of its own, and one request under way at most.
/// - Thread: one, which waits for nothing but its event loop.
final class SenderLinks {
    /// A request that is over.
    struct Ended {
        let sender: Int
        let request: UInt64
        let answer: UploadAnswer
        let took: Nanoseconds
    }

    private struct Attempt {
        let request: UInt64
        let began: Monotonic
    }

    /// How long what waits is still sent when no more reports are made.
    static let grace = Nanoseconds.seconds(30)
    private static let lineEach = Nanoseconds.seconds(10)

    private let loop: EventLoop
    private let server: ReporterAddress
    private let token: String
    private var links: [BoxLink] = []
    private var attempts: [Attempt?]
    private(set) var isStopping = false
    /// Called for each request that is not abandoned.
    var ended: (Ended) -> Void = { _ in }

    /// - Throws: code 78 if the file of the token is none, 1 if the process may not have so many connections.
    init(_ count: Int, _ options: SimulatorOptions) throws(Status) {
        token = try Self.token(options.tokenFile)
        server = options.server
        attempts = Array(repeating: nil, count: count)
        do throws(SystemCallError) {
            loop = try EventLoop()
        } catch {
            throw .failure(.failed, "\(error)")
        }
        let wanted = count + 64
        let limit = DescriptorLimit.raise(to: wanted)
        guard limit >= wanted else {
            throw .failure(.failed, "this process may open \(limit) files; expected \(wanted) for so many senders")
        }
        links = (0..<count).map { sender in
            BoxLink(loop, to: server) { [unowned self] in ended(sender, $0) }
        }
    }

    private static func token(_ path: String) throws(Status) -> String {
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

    /// Runs until it is over or a signal comes, and closes the connections.
    /// - Parameters:
    ///   - tell: called each ten seconds.
    ///   - work: called whenever something happened; returns for how long there is nothing to do.
    func run(
        until signals: borrowing SignalWatch, tell: @escaping () -> Void, work: () -> Nanoseconds, isOver: () -> Bool
    ) throws(Status) {
        do throws(SystemCallError) {
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in isStopping = true }
            _ = loop.every(Self.lineEach) { tell() }
            while !isStopping, !isOver() { try loop.turn(atMost: min(work(), .seconds(1))) }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        for link in links { link.close() }
    }

    // MARK: Requests

    /// Sends reports of a sender.
    /// - Returns: octets of the request with all of its fields.
    @discardableResult
    func send(_ sender: Int, named name: String, request: UInt64, _ lines: [[UInt8]]) -> Int {
        attempts[sender] = Attempt(request: request, began: SystemClock.monotonic())
        var body = ReportBatch.octets(of: lines)
        var head = """
            POST /v1/boxes/\(name)/reports HTTP/1.1\r
            Host: \(server.authority)\r
            Authorization: Bearer \(token)\r
            Content-Type: \(ReportBatch.mediaType)\r\n
            """
        if let small = Deflation.gzipIfShorter(body) {
            body = small
            head += "Content-Encoding: gzip\r\n"
        }
        head += "Content-Length: \(body.count)\r\n\r\n"
        let octets = Array(head.utf8) + body
        links[sender].send(octets)
        return octets.count
    }

    /// Closes a sender's connection: its answer is not waited for any more.
    func abandon(_ sender: Int) {
        attempts[sender] = nil
        links[sender].close()
    }

    private func ended(_ sender: Int, _ ending: BoxLink.Ending) {
        guard let attempt = attempts[sender] else { return }
        attempts[sender] = nil
        var answer = UploadAnswer.failed(retryAfter: nil)
        if case .answered(let whole) = ending { answer = Self.answer(whole) }
        ended(
            Ended(
                sender: sender, request: attempt.request, answer: answer,
                took: SystemClock.monotonic() - attempt.began))
    }

    private static func answer(_ whole: AnswerReader.Answer) -> UploadAnswer {
        // An answer that is none settles nothing, whatever it is.
        guard whole.status == 200, let answer = try? ReportAnswer(parsing: whole.body) else {
            return .failed(retryAfter: whole.retryAfter)
        }
        return UploadAnswer(answer, retryAfter: whole.retryAfter) ?? .failed(retryAfter: whole.retryAfter)
    }
}
