// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets

/// libwebsockets calls it on the service thread; while the context is being created, on the owner's thread.
/// - Returns: a value other than 0 closes the connection.
func serveWeb(
    _ handle: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> CInt {
    guard let handle, let context = lws_get_context(handle), let owner = lws_context_user(context) else { return 0 }
    let service = Unmanaged<WebService>.fromOpaque(owner).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE:
        service.acceptAll(from: handle)
        return 0
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        return user.map { service.secure(OpaquePointer($0)) } ?? -1
    case LWS_CALLBACK_TIMER where lws_get_opaque_user_data(handle) == nil:
        service.listenAgain(handle)
        return 0
    case LWS_CALLBACK_TIMER, LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_WRITEABLE,
        LWS_CALLBACK_HTTP_CONFIRM_UPGRADE,
        LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_RAW_RX,
        LWS_CALLBACK_RAW_CLOSE,
        LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP, LWS_CALLBACK_WSI_DESTROY:
        guard let pointer = lws_get_opaque_user_data(handle) else { return 0 }
        let connection = Unmanaged<WebConnection>.fromOpaque(pointer)
        return serveWeb(service, connection, reason, UnsafeRawBufferPointer(start: input, count: length))
    default: return 0
    }
}

private func serveWeb(
    _ service: WebService, _ reference: Unmanaged<WebConnection>, _ reason: lws_callback_reasons,
    _ input: UnsafeRawBufferPointer
) -> CInt {
    let connection = reference.takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_TIMER: return service.isLate(connection) ? -1 : 0
    case LWS_CALLBACK_HTTP: return service.requestBegan(connection)
    case LWS_CALLBACK_HTTP_BODY:
        service.bodyCame(connection, input)
        return 0
    case LWS_CALLBACK_HTTP_WRITEABLE: return service.httpWritable(connection)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        let name = input.baseAddress.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        return service.upgradeAsked(connection, for: name)
    case LWS_CALLBACK_RAW_RX: return service.refuse(connection, input)
    case LWS_CALLBACK_ESTABLISHED: return service.webSocketOpened(connection)
    case LWS_CALLBACK_RECEIVE:
        service.messageCame(connection, input)
        return 0
    case LWS_CALLBACK_SERVER_WRITEABLE: return service.webSocketWritable(connection)
    default:
        service.forget(connection)
        if reason == LWS_CALLBACK_WSI_DESTROY {
            lws_set_opaque_user_data(connection.handle, nil)
            reference.release()
        }
        return 0
    }
}
