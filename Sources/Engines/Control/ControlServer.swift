// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlMessages
import JSON
import System
import Time
import Venue

/// Serves the control socket on the loop's thread. The mode of the socket says who can connect, its owner and its group;
/// what they may do follows from who they are, which the kernel tells.
public final class ControlServer {
    private static let connectionLimit = 32

    private let loop: EventLoop
    /// nil once the server has stopped.
    private var socket: UnixListener?
    private let dispatcher: Dispatcher
    private let once = OnceDispatcher()
    private let touchline = PeerCredentials.group(named: ControlServer.groupName)
    private static let groupName = "touchline"
    private let access: SocketAccess
    private var listening: EventLoop.Watch?
    public let path: String
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    /// - Parameters:
    ///   - handler: must outlive the server.
    /// - Throws: `.busy` if another process serves this path (exit code 75).
    public init(
        path: String, loop: EventLoop, handler: any CommandHandler, access: SocketAccess = SocketAccess()
    ) throws(UnixListenerError) {
        let socket = try UnixListener(listeningAt: path, group: Self.groupName)
        let descriptor = socket.rawValue
        self.socket = consume socket
        self.path = path
        self.loop = loop
        self.access = access
        dispatcher = Dispatcher(handler: handler)
        do {
            listening = try loop.watch(descriptor, for: .readable) { [unowned self] _ in acceptNext() }
        } catch {
            throw .system(error)
        }
    }

    deinit { stop() }

    /// Sends new events to the callers that follow them. Call it after every `EventLog.append`.
    public func eventsAppended() {
        for connection in Array(connections.values) {
            connection.session.pump(dispatcher.eventLog)
            advance(connection)
        }
    }

    /// Sends new messages to the callers that follow `feed`. Call it after every `MessageFeed.append`.
    public func messagesAppended(to feed: MessageFeed) {
        for connection in Array(connections.values) where connection.feed === feed {
            connection.session.pump(feed)
            advance(connection)
        }
    }

    /// Sends each caller what its socket accepts without waiting, and closes everything. Then another process may serve
    /// the path.
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

    /// Accepts one connection in each turn of the loop, so that closed connections make room before new ones are
    /// refused.
    private func acceptNext() {
        do {
            guard let descriptor = try socket?.accept() else { return }
            let peer = try PeerCredentials(of: descriptor.rawValue)
            try add(ControlConnection(descriptor, peer))
        } catch {
            // Descriptors or memory have run out. The socket stays readable, so listening again waits a second.
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
            // A socket that was just accepted has room for one line. If sending fails, it is closed all the same.
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
        // Octets that the caller sent before it hung up can still be read.
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

    /// Executes the session's requests and sends its output, as far as the caller reads.
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
        if request.command == SocketSession.name {
            let known = try? caller(connection.peer, request.session)
            return connection.session.answer(request.id, SocketSession.answer(to: request, of: known, access))
        }
        let checked: CommandRequest
        do {
            let caller = try caller(connection.peer, request.session)
            checked = try dispatcher.request(request.command, request.arguments, of: caller)
        } catch {
            return connection.session.answer(request.id, .failure(error))
        }
        if checked.asksForStream, checked.command == "events" {
            return connection.session.follow(request.id, EventPlace(checked.arguments), of: dispatcher.eventLog)
        }
        if checked.asksForStream { return followData(checked, request.id, for: connection) }
        let key: IdempotencyKey?
        do {
            key = try self.key(of: request)
        } catch {
            return connection.session.answer(request.id, .failure(error))
        }
        var isInside = true
        once.dispatch(checked, once: key, by: dispatcher) { [weak self, weak connection] outcome in
            guard let connection, !connection.isClosed else { return }
            connection.session.answer(request.id, outcome)
            if !isInside { self?.advance(connection) }
        }
        isInside = false
    }

    private func key(of request: ControlRequest) throws(Status) -> IdempotencyKey? {
        guard let text = request.key else { return nil }
        guard let key = IdempotencyKey(text) else {
            throw .failure(.usage, "key: expected 1...\(IdempotencyKey.longest) visible characters of ASCII")
        }
        return key
    }

    /// Who is neither the owner nor in the group can connect only where the socket's group is another, because there is
    /// none of this name: it may look.
    private func caller(_ peer: PeerCredentials, _ session: String?) throws(Status) -> Caller {
        if let session { return try access.caller(session) }
        let isMember = touchline.map(peer.groups.contains) ?? false
        let role: Role = peer.isOwner ? .administrator : isMember ? access.groupRole() : .viewer
        return Caller(.localSocket, role: access.needsSession(peer.user) ? nil : role, name: "uid \(peer.user)")
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
