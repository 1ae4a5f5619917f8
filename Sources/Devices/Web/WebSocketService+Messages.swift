// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import System
import Time

/// What the library's callbacks and the owner's commands do to one connection.
extension WebSocketService {
    func opened(_ link: WebSocketLink, _ handle: OpaquePointer) -> CInt {
        guard link.phase == .connecting else { return -1 }
        link.handle = handle
        link.phase = .open
        link.nextPing = SystemClock.monotonic() + limits.pingPeriod
        heard(link)
        exchange.report(.opened(link.connection))
        return 0
    }

    /// The server lives.
    func heard(_ link: WebSocketLink) {
        guard link.phase == .open else { return }
        link.deadline = SystemClock.monotonic() + limits.silence
    }

    func received(_ link: WebSocketLink, _ octets: UnsafeRawBufferPointer, _ handle: OpaquePointer) {
        guard link.phase == .open else { return }
        heard(link)
        switch WebContext.receive(octets, of: handle, into: &link.message) {
        case .incomplete: break
        case .refused(let status): refuse(link, status: status)
        case .whole(let message):
            let isTaken = exchange.report(
                .received(link.connection, message), octets: message.count, from: link.connection.number,
                limit: (limits.unreadMessages, limits.messageLimit * WebContext.unreadFactor))
            if !isTaken { refuse(link, status: 1_008) }
        }
    }

    /// The library could not connect, or the server did not open a WebSocket.
    func attemptFailed(_ link: WebSocketLink, httpStatus: Int, _ text: String) {
        link.handle = nil
        guard link.phase == .connecting else { return ended(link) }
        guard httpStatus == 0 || httpStatus == 101 else { return end(link, .refused(httpStatus: httpStatus)) }
        attempts[link.attempt] = nil
        link.failure = text.isEmpty ? "no connection" : text
        link.phase = .trying
    }

    /// The library has ended the connection.
    func ended(_ link: WebSocketLink) {
        link.handle = nil
        switch link.phase {
        case .lookingUp, .trying: break
        case .connecting: attemptFailed(link, httpStatus: 0, "the server hung up")
        case .open: end(link, .byServer(status: link.serverStatus))
        case .closing: end(link, link.serverStatus.map { .byServer(status: $0) } ?? .byClient(status: link.closeStatus))
        }
    }

    func send(_ link: WebSocketLink, _ message: [UInt8]) {
        guard link.phase == .open, let handle = link.handle else { return }
        link.unsent += message.count
        guard link.unsent <= WebSocketClient.unsentLimit else { return refuse(link, status: 1_008) }
        link.output.append(message)
        lws_callback_on_writable(handle)
    }

    func writable(_ link: WebSocketLink, _ handle: OpaquePointer) -> CInt {
        guard link.phase == .open || link.phase == .closing, !link.isFinished, let context else { return 0 }
        if link.isPingDue, link.phase == .open {
            link.isPingDue = false
            guard context.ping(handle) else { return -1 }
            lws_callback_on_writable(handle)
            return 0
        }
        guard let count = context.write(&link.output, to: handle, isWebSocket: true) else { return -1 }
        link.unsent -= count
        // The library sends no close frame behind octets that the socket has not taken.
        let isDone = link.output.isEmpty && lws_partial_buffered(handle) == 0
        guard isDone else {
            lws_callback_on_writable(handle)
            return 0
        }
        guard link.phase == .closing else { return 0 }
        link.isFinished = true  // once: the library goes on asking for output while it awaits the server's close frame
        return context.close(handle, status: link.closeStatus)
    }

    /// Closes the connection to a server that broke a rule; what was still to be sent is dropped.
    private func refuse(_ link: WebSocketLink, status: UInt16) {
        link.output.removeAll()
        close(link, status: status)
    }

    func close(_ link: WebSocketLink, status: UInt16) {
        switch link.phase {
        case .lookingUp, .trying, .connecting: end(link, .byClient(status: status))
        case .closing: break
        case .open:
            link.phase = .closing
            link.closeStatus = status
            link.deadline = SystemClock.monotonic() + Self.closingTime
            link.handle.map { _ = lws_callback_on_writable($0) }
        }
    }
}
