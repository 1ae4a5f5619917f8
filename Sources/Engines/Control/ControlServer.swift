// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlMessages
import JSON
import System
import Time
import Venue

/// Serves the control socket on the loop's thread. Callers are trusted by the socket's mode: owner and group.
public final class ControlServer {
    private static let connectionLimit = 32

    private let loop: EventLoop
    /// Nil once stopped.
    private var socket: UnixListener?
    private let dispatcher: Dispatcher
    private var listening: EventLoop.Watch?
    public let path: String
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    /// - Parameter handler: outlives the server.
    /// - Throws: `.busy` when another daemon serves this path: exit code 75.
    public init(path: String, loop: EventLoop, handler: any CommandHandler) throws(UnixListenerError) {
        let socket = try UnixListener(listeningAt: path, group: "touchline")
        let descriptor = socket.rawValue
        self.socket = consume socket
        self.path = path
        self.loop = loop
        dispatcher = Dispatcher(handler: handler, role: .administrator)
        do {
            listening = try loop.watch(descriptor, for: .readable) { [unowned self] _ in acceptNext() }
        } catch {
            throw .system(error)
        }
    }

    deinit { stop() }

    /// To be called after every `EventLog.append`: feeds those who follow.
    public func eventsAppended() {
        for connection in Array(connections.values) {
            connection.session.pump(dispatcher.eventLog)
            advance(connection)
        }
    }

    /// To be called after every `MessageFeed.append`: feeds those who follow it.
    public func messagesAppended(to feed: MessageFeed) {
        for connection in Array(connections.values) where connection.feed === feed {
            connection.session.pump(feed)
            advance(connection)
        }
    }

    /// Sends what the callers take at once, and leaves: the socket is gone and another may serve its path.
    public func stop() {
        if let listening { loop.unwatch(listening) }
        listening = nil
        socket = nil
        for connection in Array(connections.values) {
            flush(connection)
            close(connection)
        }
    }

    // MARK: Connections

    /// One in a turn of the loop, so that callers who have left make room before others are refused.
    private func acceptNext() {
        do {
            guard let descriptor = try socket?.accept() else { return }
            try add(ControlConnection(descriptor))
        } catch {
            // Out of descriptors or memory: readiness would come back at once, so listen again in a second.
            if let listening { loop.unwatch(listening) }
            listening = nil
            _ = loop.after(.seconds(1)) { [weak self] in self?.listenAgain() }
        }
    }

    private func listenAgain() {
        guard let descriptor = socket?.rawValue else { return }
        do {
            listening = try loop.watch(descriptor, for: .readable) { [unowned self] _ in acceptNext() }
        } catch {
            _ = loop.after(.seconds(1)) { [weak self] in self?.listenAgain() }
        }
    }

    private func add(_ connection: ControlConnection) throws(SystemCallError) {
        guard connections.count < Self.connectionLimit else {
            let busy = Status.failure(.busy, "\(Self.connectionLimit) callers are served already")
            // A socket just accepted takes a line; if not, it is closed all the same.
            _ = try? UnixSocket.send(
                connection.descriptor.rawValue, ControlReply.answer(busy, result: .null).octets(id: nil)[...])
            return
        }
        connection.interest = .readable
        connection.watch = try loop.watch(connection.descriptor.rawValue, for: .readable) {
            [unowned self, unowned connection] readiness in serve(connection, readiness)
        }
        connections[ObjectIdentifier(connection)] = connection
    }

    private func close(_ connection: ControlConnection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        if let watch = connection.watch { loop.unwatch(watch) }
        connections[ObjectIdentifier(connection)] = nil
        if let feed = connection.feed { dispatcher.leave(feed) }
        connection.feed = nil
    }

    // MARK: Work

    private func serve(_ connection: ControlConnection, _ readiness: EventLoop.Readiness) {
        // Also when it hung up: what was sent before is still there to be read.
        if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) { receive(connection) }
        advance(connection)
        if !readiness.isDisjoint(with: [.hungUp, .failed]) { close(connection) }
    }

    private func receive(_ connection: ControlConnection) {
        guard connection.session.wantsInput else { return }
        do {
            guard let count = try UnixSocket.receive(connection.descriptor.rawValue, into: &buffer) else { return }
            if count == 0 {
                connection.session.inputEnded()
            } else {
                connection.session.received(buffer[..<count])
            }
        } catch {
            close(connection)  // the caller is gone
        }
    }

    /// Does what the session has to do, as far as the caller reads.
    private func advance(_ connection: ControlConnection) {
        guard !connection.isClosed else { return }
        while let request = connection.session.nextRequest() {
            execute(request, for: connection)
            if connection.isClosed { return }
        }
        flush(connection)
        guard !connection.isClosed else { return }
        if connection.session.isFinished { return close(connection) }
        var interest: EventLoop.Readiness = connection.session.wantsInput ? .readable : []
        if !connection.session.output.isEmpty { interest.insert(.writable) }
        guard interest != connection.interest, let watch = connection.watch else { return }
        do {
            try loop.modify(watch, for: interest)
            connection.interest = interest
        } catch {
            close(connection)  // without readiness it could only hang
        }
    }

    private func execute(_ request: ControlRequest, for connection: ControlConnection) {
        let checked: CommandRequest
        do {
            checked = try dispatcher.request(request.command, request.arguments)
        } catch {
            return connection.session.answer(request.id, .failure(error))
        }
        if checked.asksForStream, checked.command == "events" {
            let since = checked.integer("since").map { UInt64(clamping: $0) }
            return connection.session.follow(request.id, since: since, of: dispatcher.eventLog)
        }
        if checked.asksForStream { return followData(checked, request.id, for: connection) }
        var isInside = true
        dispatcher.dispatch(checked) { [weak self, weak connection] outcome in
            guard let connection, !connection.isClosed else { return }
            connection.session.answer(request.id, outcome)
            if !isInside { self?.advance(connection) }
        }
        isInside = false
    }

    private func followData(_ request: CommandRequest, _ id: Int64, for connection: ControlConnection) {
        guard !connection.session.isFollowing else {
            return connection.session.answer(id, .failure(ControlSession.followsAlready))
        }
        switch dispatcher.follow(request) {
        case .success(let feed):
            connection.feed = feed
            connection.session.follow(id, feed)
        case .failure(let status): connection.session.answer(id, .failure(status))
        }
    }

    private func flush(_ connection: ControlConnection) {
        do {
            while !connection.session.output.isEmpty {
                guard let count = try UnixSocket.send(connection.descriptor.rawValue, connection.session.output) else {
                    return
                }
                connection.session.sent(count)
                connection.pump(dispatcher.eventLog)
            }
        } catch {
            close(connection)  // the caller is gone
        }
    }
}
