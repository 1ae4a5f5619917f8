// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import HTTP

/// Requests and answers. The library reads heads and bodies; the order of requests and answers is kept here.
extension WebService {
    /// The head of a request has been received.
    func requestBegan(_ connection: WebConnection) -> CInt {
        guard connection.phase == .idle, var request = request(of: connection) else { return -1 }
        let length = text(connection.handle, WSI_TOKEN_HTTP_CONTENT_LENGTH)
        let expected = length.map(Self.length) ?? 0
        if let expected, lws_hdr_total_length(connection.handle, WSI_TOKEN_HTTP_TRANSFER_ENCODING) == 0 {
            if expected > limits.bodyOctets { request.body = .tooLarge(limit: limits.bodyOctets) }
        } else {
            request.body = .ofUnknownLength
        }
        // The library takes octets after a POST without a length for its body, though it has none (RFC 9112, 6.3), and
        // mixes up bodies and heads of requests sent before the answer. So a connection is not reused after a request
        // with a body.
        let isEmpty = expected == 0 && (length != nil || ![.post, .put, .patch].contains(request.method))
        connection.closesAfterAnswer = !isEmpty || connection.isOld
        connection.request = request
        let bodyLength = request.body == .octets([]) ? expected ?? 0 : 0
        guard !connection.isSurplus, hasRoom(for: bodyLength, from: connection.peer) else {
            connection.closesAfterAnswer = true
            connection.phase = .waiting
            answer(connection, Self.tooMany)
            return 0
        }
        guard bodyLength > 0 else {
            deliver(connection)
            return 0
        }
        connection.phase = .receiving
        // The library begins its own time anew with each piece of a body.
        lws_set_timer_usecs(connection.handle, lws_usec_t(Self.bodySeconds) * 1_000_000)
        connection.bodyLength = bodyLength
        connection.body.reserveCapacity(bodyLength)
        if !connection.peer.isLoopback { bodyOctets += bodyLength }
        return 0
    }

    /// Bodies are read before anybody knows whose they are, so that all of them together are bounded.
    private func hasRoom(for bodyLength: Int, from peer: HTTPPeer) -> Bool {
        peer.isLoopback || bodyOctets + bodyLength <= Self.bodyOctetLimit
    }

    /// Only the announced number of octets is the body: libwebsockets 4.3 passes on all octets it has read.
    func bodyCame(_ connection: WebConnection, _ octets: UnsafeRawBufferPointer) {
        guard connection.phase == .receiving else { return }
        connection.body.append(contentsOf: octets.prefix(connection.bodyLength - connection.body.count))
        guard connection.body.count == connection.bodyLength else { return }
        connection.request?.body = .octets(connection.body)
        connection.body = []
        deliver(connection)
    }

    /// Whether a body has not come in its time.
    func isLate(_ connection: WebConnection) -> Bool { connection.phase == .receiving }

    private func deliver(_ connection: WebConnection) {
        guard let request = connection.request else { return }
        connection.phase = .waiting
        // The next request may have arrived already; 4.3 would close the connection if it read it before this answer is
        // sent.
        lws_rx_flow_control(connection.handle, 0)
        lws_set_timeout(connection.handle, PENDING_TIMEOUT_HTTP_CONTENT, Self.answerSeconds)
        exchange.report(.request(connection.client, request))
    }

    func answer(_ connection: WebConnection, _ response: HTTPResponse) {
        guard connection.phase == .waiting else { return }
        connection.phase = .answering
        if case .octets(let octets) = response.body, octets.count > Self.keptLimit {
            connection.closesAfterAnswer = true
        }
        let head = response.head(closes: connection.closesAfterAnswer)
        switch response.body {
        case .octets(let octets) where connection.request?.method != .head:
            // A small answer goes out in one packet.
            if octets.count < WebContext.pieceLimit / 2 {
                connection.output.append(head + octets)
            } else {
                connection.output.append(head)
                connection.output.append(octets)
            }
        case .octets: connection.output.append(head)
        case .stream(let opening):
            connection.output.append(head + opening)
            connection.isStream = true
        }
        // Write at once: while flow control holds back input, no callback comes, not even for writability.
        if httpWritable(connection) != 0 {
            WebContext.kill(connection.handle)
        }
    }

    /// Refuses what is not HTTP, or has a method that the library does not know, such as TRACE and CONNECT.
    func refuse(_ connection: WebConnection, _ octets: UnsafeRawBufferPointer) -> CInt {
        let word = octets.prefix(16).prefix { (0x41...0x5a).contains($0) }
        let isMethod = !word.isEmpty && word.endIndex < octets.count && octets[word.endIndex] == UInt8(ascii: " ")
        let refusal = isMethod ? HTTPResponse(405, fields: [("Allow", "GET, HEAD, POST")]) : HTTPResponse(400)
        connection.output.append(refusal.head(closes: true))
        _ = write(connection)  // the connection is closed in any case
        return -1
    }

    func push(_ connection: WebConnection, _ piece: [UInt8]) {
        guard connection.isStream, connection.phase == .streaming else { return }  // else the client is too slow
        _ = connection.output.replace(with: piece)
        awaitWritable(connection)
    }

    func httpWritable(_ connection: WebConnection) -> CInt {
        guard connection.phase == .answering || connection.phase == .streaming else { return 0 }
        guard write(connection) else { return -1 }
        if !connection.output.isEmpty || lws_partial_buffered(connection.handle) != 0 {
            lws_rx_flow_control(connection.handle, 1)
            awaitWritable(connection)
            return 0
        }
        if connection.closesAfterAnswer { return -1 }
        lws_rx_flow_control(connection.handle, 1)
        if connection.isStream {
            connection.phase = .streaming
            lws_set_timeout(connection.handle, NO_PENDING_TIMEOUT, 0)
            return 0
        }
        connection.reset()
        guard lws_http_transaction_completed(connection.handle) == 0 else { return -1 }
        // If octets of a next request are here already, the library has its own time for them.
        if lws_hdr_total_length(connection.handle, WSI_TOKEN_GET_URI) <= 0 {
            lws_set_timeout(
                connection.handle, PENDING_TIMEOUT_HTTP_KEEPALIVE_IDLE, CInt(clamping: limits.idleSeconds))
        }
        return 0
    }

    func awaitWritable(_ connection: WebConnection) {
        if connection.phase != .webSocket {
            lws_set_timeout(
                connection.handle, PENDING_TIMEOUT_HTTP_CONTENT, CInt(clamping: limits.patienceSeconds))
        }
        lws_callback_on_writable(connection.handle)
    }

    // MARK: Reading the head

    /// The library takes a decoded `%0D` or `%0A` for the end of the request line (RFC 9112, 3), and what follows it for
    /// header fields. Such a request has no version.
    func request(of connection: WebConnection) -> HTTPRequest? {
        let handle = connection.handle
        var path: UnsafeMutablePointer<CChar>?
        var length: CInt = 0
        let code = lws_http_get_uri_and_method(handle, &path, &length)
        let query = query(handle)
        guard let method = Self.method(code), let path, length > 0, !query.joined().contains(0) else { return nil }
        let octets = UnsafeRawBufferPointer(start: path, count: Int(length))
        var request = HTTPRequest(
            method, String(decoding: octets, as: UTF8.self), query: query, version: text(handle, WSI_TOKEN_HTTP),
            host: text(handle, WSI_TOKEN_HOST), origin: text(handle, WSI_TOKEN_ORIGIN),
            accept: text(handle, WSI_TOKEN_HTTP_ACCEPT), contentType: text(handle, WSI_TOKEN_HTTP_CONTENT_TYPE),
            idempotencyKey: otherField(handle, "idempotency-key:"), peer: connection.peer)
        request.contentEncoding = text(handle, WSI_TOKEN_HTTP_CONTENT_ENCODING)
        request.authorization = text(handle, WSI_TOKEN_HTTP_AUTHORIZATION)
        request.ifNoneMatch = text(handle, WSI_TOKEN_HTTP_IF_NONE_MATCH)
        request.range = text(handle, WSI_TOKEN_HTTP_RANGE)
        request.cookie = text(handle, WSI_TOKEN_HTTP_COOKIE)
        request.subprotocols = text(handle, WSI_TOKEN_PROTOCOL)
        return request
    }

    private static func method(_ code: CInt) -> HTTPMethod? {
        switch Int(code) {
        case LWSHUMETH_GET: .get
        case LWSHUMETH_HEAD: .head
        case LWSHUMETH_POST: .post
        case LWSHUMETH_PUT: .put
        case LWSHUMETH_PATCH: .patch
        case LWSHUMETH_DELETE: .delete
        case LWSHUMETH_OPTIONS: .options
        default: nil
        }
    }

    /// nil unless the text is a number of 1 to 18 digits.
    private static func length(_ text: String) -> Int? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private func query(_ handle: OpaquePointer) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        // No part is longer than all of them, however long a line may be.
        let length = lws_hdr_total_length(handle, WSI_TOKEN_HTTP_URI_ARGS)
        guard length > 0 else { return [] }
        var buffer = [CChar](repeating: 0, count: Int(length) + 1)
        // The library stores fewer parts than this.
        for index in 0..<CInt(256) {
            let count = lws_hdr_copy_fragment(
                handle, &buffer, CInt(buffer.count), WSI_TOKEN_HTTP_URI_ARGS, index)
            guard count >= 0 else { break }
            parts.append(buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) })
        }
        return parts
    }

    /// nil if the request has no such field.
    func text(_ handle: OpaquePointer, _ field: lws_token_indexes) -> String? {
        let length = lws_hdr_total_length(handle, field)
        guard length > 0 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(length) + 1)
        let count = lws_hdr_copy(handle, &buffer, CInt(buffer.count), field)
        guard count >= 0 else { return nil }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A field that the library has no number for; nil if the request has none. Of one that is longer than 512 octets no more
    /// than that is told.
    /// - Parameter name: in lower case, with its colon.
    private func otherField(_ handle: OpaquePointer, _ name: String) -> String? {
        let nameLength = CInt(name.utf8.count)
        let length = lws_hdr_custom_length(handle, name, nameLength)
        guard length >= 0 else { return nil }
        guard length <= 512 else { return String(repeating: "?", count: 512) }
        var buffer = [CChar](repeating: 0, count: Int(length) + 1)
        let count = lws_hdr_custom_copy(handle, &buffer, CInt(buffer.count), name, nameLength)
        guard count >= 0 else { return nil }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
