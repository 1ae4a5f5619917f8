// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import Glibc
import HTTP
import System

/// The library's context and its connections. The owner creates it; afterwards only the service thread uses it.
final class WebService {
    /// Limit on the octets of one write.
    static let pieceLimit = 16 << 10
    /// Limit on the octets of an answer that keeps its connection open: a socket takes that many at once. While a
    /// larger answer is going out, a client that has read the end may already ask again, which 4.3 cannot handle.
    static let keptLimit = 64 << 10
    /// Limit on the octets of a request's line and fields.
    private static let headerLimit = 8 << 10
    /// Time for a request to arrive, and for a client to take a piece.
    static let patienceSeconds: CInt = 15
    /// Time for the owner to answer.
    static let answerSeconds: CInt = 30

    let exchange: WebExchange
    let admit: @Sendable (HTTPRequest, Int) -> HTTPResponse?
    var connections: [WebClient: WebConnection] = [:]
    var webSocketCount = 0
    private var lastNumber: UInt64 = 0
    private var context: OpaquePointer?
    private var host: OpaquePointer?
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let name: UnsafeMutablePointer<CChar>?
    private let log: UnsafeMutablePointer<tl_lws_log>
    /// Headroom and one piece: the library writes its own header in front of the octets.
    private let scratch: UnsafeMutablePointer<UInt8>

    init(
        _ listener: consuming LoopbackListener, exchange: WebExchange,
        admit: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse?
    ) throws(SystemCallError) {
        self.exchange = exchange
        self.admit = admit
        scratch = .allocate(capacity: Int(tl_lws_headroom) + Self.pieceLimit)
        name = strdup("touchline")
        log = .allocate(capacity: 1)
        log.initialize(to: tl_lws_log())
        protocols = .allocate(capacity: 2)
        protocols.initialize(repeating: lws_protocols(), count: 2)
        protocols[0].name = UnsafePointer(name)
        protocols[0].callback = serveWeb
        protocols[0].rx_buffer_size = 4 << 10
        protocols[0].tx_packet_size = Self.pieceLimit + 64
        try open(listener.release())
    }

    deinit {
        if let context { lws_context_destroy(context) }
        scratch.deallocate()
        protocols.deallocate()
        free(name)
        log.deallocate()
    }

    private func open(_ listeners: [CInt]) throws(SystemCallError) {
        lws_set_log_level(0, nil)
        var info = lws_context_creation_info()
        info.port = tl_lws_no_listening
        info.options = tl_lws_raw_for_rubbish
        info.protocols = UnsafePointer(protocols)
        info.user = Unmanaged.passUnretained(self).toOpaque()
        tl_lws_keep_identity(&info)
        tl_lws_set_log(&info, log)
        info.timeout_secs = UInt32(Self.patienceSeconds)
        info.keepalive_timeout = 30
        info.pt_serv_buf_size = UInt32(Self.pieceLimit)
        info.max_http_header_data2 = UInt32(Self.headerLimit)
        // Without this limit the library allocates a table for as many descriptors as the process may open.
        info.fd_limit_per_thread = UInt32(WebServer.connectionLimit + 16)
        context = lws_create_context(&info)
        host = context.flatMap { lws_get_vhost_by_name($0, "default") }
        guard let context, let host else {
            for listener in listeners { close(listener) }
            throw SystemCallError("lws_create_context", Errno(rawValue: ENOMEM))
        }
        for listener in listeners {
            var descriptor = lws_sock_file_fd_type()
            descriptor.filefd = listener
            guard lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, descriptor, name, nil) != nil else {
                close(listener)
                throw SystemCallError("lws_adopt_descriptor_vhost", Errno(rawValue: ENOMEM))
            }
        }
        exchange.open(context)
    }

    /// Serves until `stop` is called.
    func run() {
        serve()
        flush()
        exchange.close()
        if let context { lws_context_destroy(context) }
        context = nil
    }

    private func serve() {
        while lws_service(context, 0) >= 0 {
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
                case .stop: return
                }
            }
        }
        exchange.report(.failed)
    }

    /// Writes what the sockets take without blocking.
    private func flush() {
        for connection in connections.values {
            while !connection.output.isEmpty, lws_partial_buffered(connection.handle) == 0 {
                guard write(connection) else { break }
            }
        }
    }

    // MARK: Connections

    /// Accepts all pending connections; pauses for a second if there are no descriptors left.
    func acceptAll(from listener: OpaquePointer) {
        do {
            while let accepted = try LoopbackListener.accept(lws_get_socket_fd(listener)) { add(accepted) }
        } catch {
            lws_rx_flow_control(listener, 0)
            lws_set_timer_usecs(listener, 1_000_000)
        }
    }

    func listenAgain(_ listener: OpaquePointer) { lws_rx_flow_control(listener, 1) }

    private func add(_ accepted: CInt) {
        guard connections.count < WebServer.connectionLimit, !exchange.isFull else {
            let refusal = HTTPResponse(503, fields: [("Retry-After", "1")]).head(closes: true)
            _ = refusal.withUnsafeBytes { Glibc.send(accepted, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            close(accepted)
            return
        }
        // On failure the library has closed the socket.
        guard let handle = lws_adopt_socket_vhost(host, accepted) else { return }
        lastNumber += 1
        let connection = WebConnection(WebClient(number: lastNumber), handle)
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

    /// Writes the next piece of the connection's output; the library buffers what the socket does not take at once.
    /// - Returns: false if the connection is broken.
    func write(_ connection: WebConnection) -> Bool {
        guard let piece = connection.output.piece(limit: Self.pieceLimit) else { return true }
        let start = scratch + Int(tl_lws_headroom)
        let count = piece.octets.count
        piece.octets.withUnsafeBufferPointer { octets in
            if let base = octets.baseAddress { start.update(from: base, count: count) }
        }
        var kind = LWS_WRITE_HTTP
        if connection.phase == .webSocket {
            let flags = lws_write_ws_flags(
                CInt(LWS_WRITE_TEXT.rawValue), piece.isFirst ? 1 : 0, piece.isLast ? 1 : 0)
            kind = lws_write_protocol(rawValue: UInt32(flags))
        }
        guard lws_write(connection.handle, start, count, kind) >= 0 else { return false }
        connection.output.sent(piece)
        if connection.phase == .webSocket { exchange.sent(count, to: connection.client) }
        return true
    }
}
