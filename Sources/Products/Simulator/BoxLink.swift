// SPDX-License-Identifier: Apache-2.0
import HTTP
import System
import Time

/// The connection of one simulated box to the reporter, which stays open between requests if the reporter leaves it so.
///
/// libcurl would do it for a box or for 32 (`Transfer`), which share their connections; here each of thousands has its own,
/// as boxes do.
final class BoxLink {
    enum Ending {
        case answered(AnswerReader.Answer)
        case failed
    }

    private let loop: EventLoop
    private let address: ReporterAddress
    private let ended: (Ending) -> Void
    private var connection: TCPConnection?
    private var watch: EventLoop.Watch?
    private var isConnected = false
    /// Whether the connection has had an answer, so that the reporter may have closed it meanwhile.
    private var isReused = false
    /// The request that is under way; nil between requests.
    private var request: [UInt8]?
    private var sent = 0
    private var reader = AnswerReader()

    /// - Parameter ended: called once for each request that is not abandoned.
    init(_ loop: EventLoop, to address: ReporterAddress, ended: @escaping (Ending) -> Void) {
        (self.loop, self.address, self.ended) = (loop, address, ended)
    }

    func send(_ request: [UInt8]) {
        precondition(self.request == nil, "a box has one request under way")
        (self.request, sent) = (request, 0)
        if connection == nil { connect() } else { isReused = true }
        if isConnected { write() }
    }

    /// Ends the connection; a request that is under way gets no answer.
    func close() {
        if let watch { loop.unwatch(watch) }
        (watch, connection, request) = (nil, nil, nil)
        (isConnected, isReused, reader) = (false, false, AnswerReader())
    }

    private func connect() {
        do throws(SystemCallError) {
            let made = try TCPConnection(to: address.host, port: address.port)
            connection = made
            watch = try loop.watch(made.descriptor, for: [.readable, .writable]) { [unowned self] in ready($0) }
        } catch {
            fail()
        }
    }

    private func fail() {
        guard let request else { return close() }
        let mayRepeat = isReused && reader.isEmpty
        close()
        // What the reporter closed while nothing was under way is opened again, once.
        if mayRepeat { return send(request) }
        ended(.failed)
    }

    private func ready(_ readiness: EventLoop.Readiness) {
        guard let connection else { return }
        if !isConnected {
            guard connection.failure == nil, !readiness.contains(.failed) else { return fail() }
            guard readiness.contains(.writable) else { return }
            isConnected = true
        }
        if readiness.contains(.readable) || readiness.contains(.hungUp) { read() }
        if readiness.contains(.writable) { write() }
    }

    private func write() {
        guard isConnected, let connection, let request else { return listen(isWriting: false) }
        do throws(SystemCallError) {
            while sent < request.count {
                guard let count = try connection.send(request[sent...]) else { return listen(isWriting: true) }
                sent += count
            }
            listen(isWriting: false)
        } catch {
            fail()
        }
    }

    private func listen(isWriting: Bool) {
        guard let watch else { return }
        do throws(SystemCallError) {
            try loop.modify(watch, for: isWriting ? [.readable, .writable] : .readable)
        } catch {
            fail()
        }
    }

    private func read() {
        guard let connection else { return }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        do throws(SystemCallError) {
            guard let count = try connection.receive(into: &buffer) else { return }
            guard count > 0, request != nil else { return fail() }
            switch reader.add(buffer[..<count]) {
            case .incomplete: break
            case .refused:
                isReused = false
                fail()
            case .whole(let answer):
                request = nil
                if answer.closes { close() }
                ended(.answered(answer))
            }
        } catch {
            fail()
        }
    }
}
