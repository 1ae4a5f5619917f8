// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import System
import Time
import Web

/// Reads what one server of CSS-CII tells, once, with a socket and a thread.
/// - Thread: the loop's only.
public final class InformationReader {
    /// What was read.
    public struct Reading: Hashable, Sendable {
        /// After all messages.
        public internal(set) var information: ContentInformation
        /// For each message after the first one, the properties that it changed.
        public internal(set) var changes: [Set<CIIMessage.Name>] = []
    }

    /// Why nothing was read.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case closed(WebSocketClient.ClosingReason)
        case silent(Nanoseconds)
        case malformed(CompanionMessageError)

        public var description: String {
            switch self {
            case .closed(.refused(let status)): "refused with HTTP status \(status)"
            case .closed(.unreachable(let reason)): "not reached: \(reason)"
            case .closed(.timedOut): "no connection in time"
            case .closed(.byServer(let status)):
                "closed by the server" + (status.map { " with status \($0)" } ?? "") + " before its first message"
            case .closed(.byClient(let status)): "closed with status \(status): what came is no text that is read"
            case .silent(let span): "connected, but no message came in \(span.milliseconds / 1_000) s"
            case .malformed(let error): "its message cannot be read: \(error)"
            }
        }
    }

    /// For the connection, and then for the first message. Who gave the command waits no longer than 10 s.
    private static let (connecting, patience) = (Nanoseconds.seconds(3), Nanoseconds.seconds(2))

    private let loop: EventLoop
    private let sockets: WebSocketClient
    private let waker: Waker
    private let span: Nanoseconds
    private let done: (Result<Reading, Failure>) -> Void
    private var reading: Reading?
    private var timer: EventLoop.Timer?
    private var isRunning = true

    /// Begins to connect.
    /// - Parameters:
    ///   - url: without TLS.
    ///   - span: for how long changes are waited for after the first message.
    ///   - done: called once, on the loop's thread and after this initialiser, unless `stop` is called before.
    public init(
        _ url: WebSocketURL, listeningFor span: Nanoseconds, loop: EventLoop,
        done: @escaping (Result<Reading, Failure>) -> Void
    ) throws(SystemCallError) {
        (self.loop, self.span, self.done) = (loop, span, done)
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        self.waker = waker
        do throws(SystemCallError) {
            sockets = try WebSocketClient(
                limits: .init(connecting: Self.connecting, messageLimit: CIIMessage.mostOctets)
            ) { waker.wake() }
        } catch {
            loop.remove(waker)
            throw error
        }
        inbox.handler = { [weak self] in self?.awoken() }
        _ = sockets.connect(to: url.host.numericOrName, port: url.port, path: url.target)
    }

    /// Ends the connection and the thread. A second call does nothing.
    public func stop() {
        guard isRunning else { return }
        isRunning = false
        if let timer { loop.cancel(timer) }
        timer = nil
        sockets.stop()
        loop.remove(waker)
    }

    private func awoken() {
        for report in sockets.takeReports() where isRunning {
            switch report {
            case .opened: wait(Self.patience) { reader in .failure(.silent(Self.patience)) }
            case .received(_, let text): received(text)
            case .closed(_, let reason):
                // What was read before counts.
                end(reading.map { .success($0) } ?? .failure(.closed(reason)))
            }
        }
    }

    private func received(_ text: [UInt8]) {
        do throws(CompanionMessageError) {
            let message = try CIIMessage(parsing: text)
            if var known = reading {
                known.changes.append(known.information.merge(message))
                reading = known
            } else {
                let first = Reading(information: try ContentInformation(first: message))
                reading = first
                guard span > .zero else { return end(.success(first)) }
                wait(span) { reader in reader.reading.map { .success($0) } ?? .failure(.silent(reader.span)) }
            }
        } catch {
            end(.failure(.malformed(error)))
        }
    }

    private func wait(
        _ span: Nanoseconds, _ result: @escaping (InformationReader) -> Result<Reading, Failure>
    ) {
        if let timer { loop.cancel(timer) }
        timer = loop.after(span) { [weak self] in
            guard let self else { return }
            timer = nil
            end(result(self))
        }
    }

    private func end(_ result: Result<Reading, Failure>) {
        stop()
        done(result)
    }
}
