// SPDX-License-Identifier: Apache-2.0
import JSON
import NetworkHelper
import Synchronization
import System
import Time
import Venue

/// Asks the helper, one request after the other, on a thread of its own.
///
/// - Thread: the control loop's thread only. It does not wait.
final class HelperClient {
    /// Takes the answer from the asking thread to the loop's, and the wish to end the other way.
    private final class Exchange: Sendable {
        let result = Mutex<Result<JSONValue, Status>?>(nil)
        let isGivenUp = Mutex(false)
    }

    private struct Question {
        let request: HelperRequest
        let answer: (Result<JSONValue, Status>) -> Void
    }

    /// The most requests that wait.
    private static let waitingLimit = 32
    /// How long the helper may take: it has programs of the system do its work.
    private static let patience = Nanoseconds.seconds(60)
    /// How long `stop` may have to wait for the asking thread.
    private static let pause = Nanoseconds.milliseconds(100)
    private static let mostOctets = 65_536

    let path: String
    private let task: BackgroundTask
    private var waiting: ArraySlice<Question> = []
    private var asking: Exchange?
    private var isStopped = false

    init(path: String, loop: EventLoop) throws(SystemCallError) {
        self.path = path
        task = try BackgroundTask(loop: loop)
    }

    /// Whether there is a socket at which the helper might answer.
    var isThere: Bool { UnixSocket.isThere(path) }

    /// - Parameter answer: called once, on this thread, later; not after `stop`.
    func ask(_ request: HelperRequest, _ answer: @escaping (Result<JSONValue, Status>) -> Void) {
        guard waiting.count < Self.waitingLimit else {
            return answer(.failure(.failure(.busy, "\(Self.waitingLimit) requests to the network helper wait already")))
        }
        waiting.append(Question(request: request, answer: answer))
        askNext()
    }

    /// Does not wait for the helper, which ends what it has begun.
    func stop() {
        isStopped = true
        waiting = []
        asking?.isGivenUp.withLock { $0 = true }
        task.stop()
    }

    private func askNext() {
        guard asking == nil, !isStopped, let question = waiting.popFirst() else { return }
        let (path, octets, exchange) = (path, question.request.octets, Exchange())
        asking = exchange
        do throws(SystemCallError) {
            try task.run(
                "network-helper",
                {
                    let result = Self.answer(to: octets, at: path, unless: exchange)
                    exchange.result.withLock { $0 = result }
                },
                then: { [weak self] in
                    self?.asking = nil
                    question.answer(exchange.result.withLock { $0 } ?? .failure(.failure(.failed, "no answer")))
                    self?.askNext()
                })
        } catch {
            asking = nil
            question.answer(.failure(.failure(.failed, "\(error)")))
            askNext()
        }
    }

    /// On the thread that may wait.
    private static func answer(
        to request: [UInt8], at path: String, unless exchange: Exchange
    ) -> Result<JSONValue, Status> {
        let octets: [UInt8]
        do throws(SystemCallError) {
            let socket = try UnixSocket.make(isBlocking: true)
            try UnixSocket.connect(socket.rawValue, to: path)
            try UnixSocket.setPatience(pause, of: socket.rawValue)
            var rest = (request + [0x0a])[...]
            while !rest.isEmpty {
                guard let count = try UnixSocket.send(socket.rawValue, rest) else { break }
                rest = rest.dropFirst(count)
            }
            octets = try line(from: socket.rawValue, unless: exchange)
        } catch {
            return .failure(.failure(.failed, "the network helper is not reached: \(error)"))
        }
        guard let answer = try? JSONValue.parse(octets), let isOk = answer["isOk"]?.bool else {
            return .failure(.failure(.failed, "the network helper gave no answer"))
        }
        guard !isOk else { return .success(answer) }
        let code = answer["code"]?.integer.flatMap { Status.Code(rawValue: Int(clamping: $0)) } ?? .failed
        return .failure(
            .failure(code == .ok ? .failed : code, answer["errorString"]?.string ?? "the network helper failed"))
    }

    private static func line(from socket: CInt, unless exchange: Exchange) throws(SystemCallError) -> [UInt8] {
        let deadline = SystemClock.monotonic() + patience
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while line.count < mostOctets, line.last != 0x0a {
            guard let count = try UnixSocket.receive(socket, into: &piece) else {
                guard !exchange.isGivenUp.withLock({ $0 }), SystemClock.monotonic() < deadline else { break }
                continue
            }
            guard count > 0 else { break }
            line += piece[..<count]
        }
        return line
    }
}
