// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets

/// libwebsockets calls it on the client's thread; while the context is being created, on the owner's thread.
/// - Returns: a value other than 0 closes the connection.
func serveWebSocketClient(
    _ handle: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> CInt {
    guard let handle, let context = lws_get_context(handle), let owner = lws_context_user(context) else { return 0 }
    let service = Unmanaged<WebSocketService>.fromOpaque(owner).takeUnretainedValue()
    let attempt = UInt(bitPattern: lws_get_opaque_user_data(handle))
    guard let link = service.attempts[attempt] else {
        // The attempt was given up; if it succeeds all the same, it ends here.
        let isOpen = [LWS_CALLBACK_CLIENT_ESTABLISHED, LWS_CALLBACK_CLIENT_RECEIVE, LWS_CALLBACK_CLIENT_WRITEABLE]
        return isOpen.contains(reason) ? -1 : 0
    }
    let octets = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length)
    switch reason {
    case LWS_CALLBACK_CLIENT_ESTABLISHED: return service.opened(link, handle)
    case LWS_CALLBACK_CLIENT_RECEIVE: service.received(link, octets, handle)
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG: service.heard(link)
    case LWS_CALLBACK_CLIENT_WRITEABLE: return service.writable(link, handle)
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if octets.count >= 2 { link.serverStatus = UInt16(octets[0]) << 8 | UInt16(octets[1]) }
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        service.attemptFailed(
            link, httpStatus: Int(lws_http_client_http_response(handle)), String(decoding: octets, as: UTF8.self))
    case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_CLOSED_CLIENT_HTTP, LWS_CALLBACK_WSI_DESTROY: service.ended(link)
    default: break
    }
    return 0
}
