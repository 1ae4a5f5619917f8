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
    /// Time for a request to arrive, and for a client to take a piece.
    static let patienceSeconds: CInt = 15
    /// Time for the owner to answer.
    static let answerSeconds: CInt = 30
    /// Time for a client to take what was sent to it before its WebSocket was to be closed.
    static let closingSeconds: CInt = 5

    let exchange: Exchange
    let admit: @Sendable (HTTPRequest, Int) -> HTTPResponse?
    /// Octets of one message of a client; 0: messages are ignored.
    let messageLimit: Int
    var connections: [WebClient: WebConnection] = [:]
    var webSocketCount = 0
    private let connectionLimit: Int
    private var lastNumber: UInt64 = 0
    private var context: WebContext?

    init(
        _ listener: TCPListener, exchange: Exchange, connectionLimit: Int, messageLimit: Int,
        admit: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        self.exchange = exchange
        self.admit = admit
        self.connectionLimit = connectionLimit
        self.messageLimit = messageLimit
        let context = try WebContext(
            serveWeb, user: Unmanaged.passUnretained(self).toOpaque(), connections: connectionLimit,
            options: tl_lws_raw_for_rubbish, timeoutSeconds: UInt32(Self.patienceSeconds))
        self.context = context
        try adopt(listener.release(), context)
        exchange.open(context.handle)
    }

    /// Gives the library the listening sockets, which are closed if that fails.
    private func adopt(_ listeners: [CInt], _ context: WebContext) throws(SystemCallError) {
        for (index, listener) in listeners.enumerated() {
            var descriptor = lws_sock_file_fd_type()
            descriptor.filefd = listener
            let adopted = lws_adopt_descriptor_vhost(
                context.host, LWS_ADOPT_RAW_FILE_DESC, descriptor, context.name, nil)
            guard adopted == nil else { continue }
            for listener in listeners[index...] { Glibc.close(listener) }
            throw SystemCallError("lws_adopt_descriptor_vhost", Errno(rawValue: ENOMEM))
        }
    }

    /// Serves until `stop` is called.
    func run() {
        serve()
        flush()
        exchange.close()
        context?.destroy()
    }

    private func serve() {
        while lws_service(context?.handle, 0) >= 0 {
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

    // MARK: Connections

    /// Accepts all pending connections; pauses for a second if there are no descriptors left.
    func acceptAll(from listener: OpaquePointer) {
        do {
            while let accepted = try TCPListener.accept(lws_get_socket_fd(listener)) { add(accepted) }
        } catch {
            lws_rx_flow_control(listener, 0)
            lws_set_timer_usecs(listener, 1_000_000)
        }
    }

    func listenAgain(_ listener: OpaquePointer) { lws_rx_flow_control(listener, 1) }

    private func add(_ accepted: CInt) {
        guard connections.count < connectionLimit, !exchange.isFull else {
            let refusal = HTTPResponse(503, fields: [("Retry-After", "1")]).head(closes: true)
            _ = refusal.withUnsafeBytes { Glibc.send(accepted, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            Glibc.close(accepted)
            return
        }
        // On failure the library has closed the socket.
        guard let handle = lws_adopt_socket_vhost(context?.host, accepted) else { return }
        lastNumber += 1
        let connection = WebConnection(
            WebClient(number: lastNumber), handle, messageLimit: messageLimit)
        lws_set_opaque_user_data(handle, Unmanaged.passRetained(connection).toOpaque())
        connections[connection.client] = connection
    }

    /// Ends our part of the connection; the library goes on closing its own.
    func forget(_ connection: WebConnection) {
        guard connection.phase != .closed else { return }
        let isKnown = connection.phase == .webSocket || connection.isStream
        if connection.phase == .webSocket { webSocketCount -= 1 }
        connection.phase = .closed
        connection.output.removeAll()
        connections[connection.client] = nil
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
