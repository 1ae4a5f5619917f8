// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import Glibc
import System

/// The library's context with what it refers to. The owner creates it; afterwards only the service thread uses it.
final class WebContext {
    typealias Callback =
        @convention(c) (
            OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    /// Limit on the octets of one write.
    static let pieceLimit = 16 << 10
    /// Limit on the octets of the lines of a request or an answer, unless the owner sets another.
    static let headerLimit = 8 << 10
    /// What one connection may leave unread: so many messages, and so many times the limit on one message.
    static let unreadMessages = 64
    static let unreadFactor = 4

    let handle: OpaquePointer
    /// The library's virtual host.
    let host: OpaquePointer
    var name: UnsafePointer<CChar>? { memory.name.map { UnsafePointer($0) } }
    private let memory: Memory
    private var isDestroyed = false

    private final class Memory {
        let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
        let name = strdup("touchline")
        let alpn = strdup("http/1.1")
        let log = UnsafeMutablePointer<tl_lws_log>.allocate(capacity: 1)
        /// Headroom and one piece: the library writes its own header in front of the octets.
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(tl_lws_headroom) + pieceLimit)
        var output: UnsafeMutablePointer<UInt8> { scratch + Int(tl_lws_headroom) }

        init(_ callback: Callback) {
            log.initialize(to: tl_lws_log())
            protocols.initialize(repeating: lws_protocols(), count: 2)
            protocols[0].name = UnsafePointer(name)
            protocols[0].callback = callback
            protocols[0].rx_buffer_size = 4 << 10
            protocols[0].tx_packet_size = pieceLimit + 64
        }

        deinit {
            scratch.deallocate()
            protocols.deallocate()
            free(name)
            free(alpn)
            log.deallocate()
        }
    }

    /// - Parameters:
    ///   - user: what `lws_context_user` returns to the callback.
    ///   - connections: the most that there will be at a time.
    ///   - options: of the library, `LWS_SERVER_OPTION_`.
    init(
        _ callback: Callback, user: UnsafeMutableRawPointer, connections: Int, options: UInt64,
        timeoutSeconds: UInt32, headerOctets: Int = WebContext.headerLimit
    ) throws(SystemCallError) {
        memory = Memory(callback)
        lws_set_log_level(0, nil)
        var info = lws_context_creation_info()
        info.port = tl_lws_no_listening
        info.options = options
        info.protocols = UnsafePointer(memory.protocols)
        info.user = user
        tl_lws_keep_identity(&info)
        tl_lws_use_no_proxy(&info)
        tl_lws_set_log(&info, memory.log)
        info.timeout_secs = timeoutSeconds
        info.keepalive_timeout = 30
        info.pt_serv_buf_size = UInt32(Self.pieceLimit)
        info.max_http_header_data2 = UInt32(headerOctets)
        info.alpn = memory.alpn.map { UnsafePointer($0) }
        // Without this limit the library allocates a table for as many descriptors as the process may open.
        info.fd_limit_per_thread = UInt32(connections + 16)
        guard let created = lws_create_context(&info), let host = lws_get_vhost_by_name(created, "default") else {
            throw SystemCallError("lws_create_context", Errno(rawValue: ENOMEM))
        }
        handle = created
        self.host = host
    }

    deinit { destroy() }

    /// Ends all connections, with callbacks.
    func destroy() {
        guard !isDestroyed else { return }
        isDestroyed = true
        lws_context_destroy(handle)
    }

    /// Waits until there is something to do and does it, with callbacks.
    /// - Returns: false if the library has failed.
    func turn() -> Bool { lws_service(handle, 0) >= 0 }

    // MARK: Connecting

    /// Begins to open a WebSocket.
    /// - Parameters:
    ///   - address: numeric.
    ///   - attempt: what callbacks know the connection by, as the library's opaque user data.
    /// - Returns: nil if that failed at once.
    func connect(_ target: WebSocketTarget, at address: String, attempt: UInt) -> OpaquePointer? {
        address.withCString { address in
            target.path.withCString { path in
                target.authority.withCString { authority in
                    var info = lws_client_connect_info()
                    info.context = handle
                    info.vhost = host
                    info.address = address
                    info.port = CInt(target.port)
                    info.path = path
                    info.host = authority
                    info.local_protocol_name = name
                    info.ssl_connection = CInt(LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue)
                    info.ietf_version_or_minus_one = -1
                    info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: attempt)
                    return lws_client_connect_via_info(&info)
                }
            }
        }
    }

    // MARK: TLS

    /// Where contexts of TLS keep the certificate that they show; -1 if OpenSSL has no room for it.
    private static let identityPlace = tl_tls_place()

    /// Gives the library's context of TLS a certificate; connections that are open keep theirs.
    /// - Returns: false if the texts are no certificate with its key; the context is as before then.
    static func use(_ identity: WebIdentity, in context: OpaquePointer) -> Bool {
        let (certificate, key) = (Array(identity.certificate.utf8CString), Array(identity.key.utf8CString))
        return identityPlace >= 0
            && tl_tls_use(
                context, identityPlace, certificate, CInt(certificate.count - 1), key, CInt(key.count - 1)) == 1
    }

    // MARK: Writing

    /// Writes the next piece of the output; the library buffers what the socket does not take at once.
    /// - Returns: the number of octets; nil if the connection is broken.
    func write(_ output: inout WebOutput, to connection: OpaquePointer, isWebSocket: Bool) -> Int? {
        guard let piece = output.piece(limit: Self.pieceLimit) else { return 0 }
        let start = memory.output
        let count = piece.octets.count
        piece.octets.withUnsafeBufferPointer { octets in
            if let base = octets.baseAddress { start.update(from: base, count: count) }
        }
        var kind = LWS_WRITE_HTTP
        if isWebSocket {
            let flags = lws_write_ws_flags(
                CInt(LWS_WRITE_TEXT.rawValue), piece.isFirst ? 1 : 0, piece.isLast ? 1 : 0)
            kind = lws_write_protocol(rawValue: UInt32(flags))
        }
        guard lws_write(connection, start, count, kind) >= 0 else { return nil }
        output.sent(piece)
        return count
    }

    /// - Returns: false if the connection is broken.
    func ping(_ connection: OpaquePointer) -> Bool { lws_write(connection, memory.output, 0, LWS_WRITE_PING) >= 0 }

    /// Lets WebSockets that are being closed send their close frames, as far as that needs no waiting. A close frame takes
    /// the library two turns.
    func flushCloseFrames() { for _ in 0..<3 { lws_service(handle, -1) } }

    /// To be called when the output of a WebSocket is empty.
    /// - Returns: what the callback returns to the library: it then sends a close frame and awaits the answer for 5 s.
    func close(_ connection: OpaquePointer, status: UInt16) -> CInt {
        lws_close_reason(connection, lws_close_status(rawValue: UInt32(status)), nil, 0)
        return -1
    }

    /// Ends a connection on the next turn of the service, without a close frame.
    static func kill(_ connection: OpaquePointer) {
        lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
    }

    // MARK: Reading

    /// Adds what the library has received of a WebSocket to its message.
    static func receive(
        _ input: UnsafeRawBufferPointer, of connection: OpaquePointer, into message: inout WebMessage
    ) -> WebMessage.Outcome {
        message.append(
            input, isBinary: lws_frame_is_binary(connection) != 0, isLast: lws_is_final_fragment(connection) != 0)
    }
}
