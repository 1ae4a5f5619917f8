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
    /// Takes the answer from the asking thread to the loop's.
    private final class Answer: Sendable {
        let result = Mutex<Result<JSONValue, Status>?>(nil)
    }

    private struct Question {
        let request: HelperRequest
        let answer: (Result<JSONValue, Status>) -> Void
    }

    /// The most requests that wait.
    private static let waitingLimit = 32
    /// How long the helper may take: it has programs of the system do its work.
    private static let patience = Nanoseconds.seconds(60)
    private static let mostOctets = 65_536

    let path: String
    private let task: BackgroundTask
    private var waiting: ArraySlice<Question> = []
    private var isAsking = false
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

    func stop() {
        isStopped = true
        waiting = []
        task.stop()
    }

    private func askNext() {
        guard !isAsking, !isStopped, let question = waiting.popFirst() else { return }
        isAsking = true
        let (path, octets, answer) = (path, question.request.octets, Answer())
        do throws(SystemCallError) {
            try task.run(
                "network-helper",
                {
                    let result = Self.exchange(octets, at: path)
                    answer.result.withLock { $0 = result }
                },
                then: { [weak self] in
                    self?.isAsking = false
                    question.answer(answer.result.withLock { $0 } ?? .failure(.failure(.failed, "no answer")))
                    self?.askNext()
                })
        } catch {
            isAsking = false
            question.answer(.failure(.failure(.failed, "\(error)")))
            askNext()
        }
    }

    /// On the thread that may wait.
    private static func exchange(_ request: [UInt8], at path: String) -> Result<JSONValue, Status> {
        let octets: [UInt8]
        do throws(SystemCallError) {
            let socket = try UnixSocket.make(isBlocking: true)
            try UnixSocket.connect(socket.rawValue, to: path)
            try UnixSocket.setPatience(patience, of: socket.rawValue)
            var rest = (request + [0x0a])[...]
            while !rest.isEmpty {
                guard let count = try UnixSocket.send(socket.rawValue, rest) else { break }
                rest = rest.dropFirst(count)
            }
            octets = try line(from: socket.rawValue)
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

    private static func line(from socket: CInt) throws(SystemCallError) -> [UInt8] {
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while line.count < mostOctets, line.last != 0x0a {
            guard let count = try UnixSocket.receive(socket, into: &piece), count > 0 else { break }
            line += piece[..<count]
        }
        return line
    }
}
