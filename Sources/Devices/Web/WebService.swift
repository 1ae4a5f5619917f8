// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import Glibc
import HTTP
import System

/// The library's context and its connections. The owner creates it; afterwards only the service thread uses it.
final class WebService {
    typealias Exchange = WebExchange<WebCommand, WebReport>

    /// Limit on the octets of an answer that keeps its connection open: a socket takes that many at once. While a
    /// larger answer is going out, a client that has read the end may already ask again, which 4.3 cannot handle.
    static let keptLimit = 64 << 10
    /// Time for the owner to answer.
    static let answerSeconds: CInt = 30
    /// Time for a client to take what was sent to it before its WebSocket was to be closed.
    static let closingSeconds: CInt = 5
    /// Time for a body to come, whole.
    static let bodySeconds = 60
    /// The most that the bodies of connections beyond this machine may have together; callers beyond it are answered with
    /// 503.
    static let bodyOctetLimit = 16 << 20

    let exchange: Exchange
    let admit: @Sendable (HTTPRequest, Int) -> HTTPResponse?
    /// Octets of one message of a client; 0: messages are ignored.
    let messageLimit: Int
    var connections: [WebClient: WebConnection] = [:]
    var webSocketCount = 0
    var limits: WebLimits
    /// The listening sockets.
    var doors: [WebDoor] = []
    /// The library's context of TLS; nil if the service was made without a certificate.
    private var tls: OpaquePointer?
    private(set) var identity: WebIdentity?
    /// Connections that were accepted to be told that there are too many.
    var surplus = 0
    /// How many connections each address has that is not loopback.
    var peers: [String: Int] = [:]
    /// Octets of the bodies of connections that are not loopback, until these end.
    var bodyOctets = 0
    private(set) var lastNumber: UInt64 = 0
    private(set) var context: WebContext?

    /// The most connections that are accepted to be told that there are too many.
    static let surplusLimit = 16

    init(
        _ setup: WebSetup, _ listener: TCPListener?, exchange: Exchange, bounds: WebServer.Bounds,
        admit: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        self.exchange = exchange
        self.admit = admit
        messageLimit = bounds.messageOctets
        limits = setup.limits
        identity = setup.identity
        let context = try WebContext(
            serveWeb, user: Unmanaged.passUnretained(self).toOpaque(),
            connections: bounds.connections + Self.surplusLimit,
            options: tl_lws_raw_for_rubbish | (setup.identity == nil ? 0 : tl_lws_with_tls),
            timeoutSeconds: UInt32(clamping: setup.limits.patienceSeconds), headerOctets: bounds.headerOctets)
        self.context = context
        do throws(SystemCallError) {
            if let listener { doors.append(WebDoor(nil, try adopt(listener, context), port: listener.port)) }
            for place in setup.places { try open(place) }
        } catch {
            context.destroy()
            throw error
        }
        exchange.open(context.handle)
    }

    var ports: [UInt16] { doors.map(\.port) }

    /// Serves until `stop` is called.
    func run() {
        serve()
        flush()
        exchange.close()
        context?.destroy()
    }

    private func serve() {
        while context?.turn() == true {
            for command in exchange.takeCommands() {
                switch command {
                case .respond(let client, let response):
                    if let connection = connections[client] {
                        answer(connection, response())
                    } else {
                        // It went before its answer came, which may be a stream that its owner would go on to feed.
                        exchange.report(.closed(client))
                    }
                case .push(let client, let piece): connections[client].map { push($0, piece) }
                case .send(let client, let message): connections[client].map { send($0, message) }
                case .close(let client, let status): connections[client].map { close($0, status: status) }
                case .apply(let setup): apply(setup)
                case .stop: return
                }
            }
        }
        exchange.report(.failed)
    }

    /// Writes what the sockets take without blocking; WebSockets end with their close frame.
    private func flush() {
        for connection in connections.values {
            while !connection.output.isEmpty, lws_partial_buffered(connection.handle) == 0 {
                guard write(connection) else { break }
            }
            close(connection, status: 1_001)
        }
        context?.flushCloseFrames()
    }

    // MARK: TLS

    /// The library has made its context of TLS.
    /// - Returns: a value other than 0 if the certificate cannot be shown; the library gives up then.
    func secure(_ context: OpaquePointer) -> CInt {
        tls = context
        guard tl_tls_limit(context) == 1, let identity, WebContext.use(identity, in: context) else { return -1 }
        return 0
    }

    func show(_ identity: WebIdentity) throws(SystemCallError) {
        guard identity != self.identity else { return }
        guard let tls, WebContext.use(identity, in: tls) else {
            throw SystemCallError("SSL_CTX_use_cert_and_key", .invalid)
        }
        self.identity = identity
    }

    // MARK: Connections

    /// - Parameter isSecure: whether it comes by TLS.
    func add(_ accepted: CInt, isSecure: Bool) {
        guard let ends = ConnectionEnds(of: accepted) else {
            Glibc.close(accepted)
            return
        }
        let isSurplus = isTooMany(ends)
        if isSurplus, !isSecure || surplus >= Self.surplusLimit {
            // Without TLS it can be told at once.
            let refusal = isSecure ? [] : Self.tooMany.head(closes: true)
            _ = refusal.withUnsafeBytes { Glibc.send(accepted, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            Glibc.close(accepted)
            return
        }
        var descriptor = lws_sock_file_fd_type()
        descriptor.sockfd = accepted
        let kind = isSecure ? tl_lws_secure : tl_lws_plain
        // On failure the library has closed the socket.
        guard let handle = lws_adopt_descriptor_vhost(context?.host, kind, descriptor, nil, nil) else { return }
        lastNumber += 1
        let peer = HTTPPeer(
            address: ends.peer, localAddress: ends.local, localPort: ends.localPort, isLoopback: ends.isLoopback,
            isSecure: isSecure)
        let connection = WebConnection(
            WebClient(number: lastNumber), handle, peer, isSurplus: isSurplus, messageLimit: messageLimit)
        lws_set_opaque_user_data(handle, Unmanaged.passRetained(connection).toOpaque())
        connections[connection.client] = connection
        if isSurplus { surplus += 1 } else if !ends.isLoopback { peers[ends.peer, default: 0] += 1 }
    }

    private func isTooMany(_ ends: ConnectionEnds) -> Bool {
        let open = connections.count - surplus
        guard open < limits.connections, !exchange.isFull else { return true }
        if ends.isLoopback { return false }
        if open >= limits.connections - limits.reservedForLoopback { return true }
        return limits.connectionsOfOnePeer.map { peers[ends.peer, default: 0] >= $0 } ?? false
    }

    static let tooMany = HTTPResponse(503, fields: [("Retry-After", "1")])

    /// Ends our part of the connection; the library goes on closing its own.
    func forget(_ connection: WebConnection) {
        guard connection.phase != .closed else { return }
        let isKnown = connection.phase == .webSocket || connection.isStream
        if connection.phase == .webSocket { webSocketCount -= 1 }
        connection.phase = .closed
        connection.output.removeAll()
        connections[connection.client] = nil
        if connection.isSurplus {
            surplus -= 1
        } else if !connection.peer.isLoopback {
            bodyOctets -= connection.bodyLength
            let rest = peers[connection.peer.address, default: 1] - 1
            peers[connection.peer.address] = rest > 0 ? rest : nil
        }
        if isKnown { exchange.report(.closed(connection.client)) }
    }

    // MARK: Writing

    /// Writes the next piece of the connection's output.
    /// - Returns: false if the connection is broken.
    func write(_ connection: WebConnection) -> Bool {
        let isWebSocket = connection.phase == .webSocket
        let count = context?.write(&connection.output, to: connection.handle, isWebSocket: isWebSocket)
        guard let count else { return false }
        if isWebSocket, count > 0 { exchange.sent(count, to: connection.client.number) }
        return true
    }

    /// - Returns: what the callback returns to the library, once: the library goes on asking for output while it awaits
    ///   the answer to its close frame, and would drop the connection.
    func finish(_ connection: WebConnection, status: UInt16) -> CInt {
        connection.isFinished = true
        return context?.close(connection.handle, status: status) ?? -1
    }
}
