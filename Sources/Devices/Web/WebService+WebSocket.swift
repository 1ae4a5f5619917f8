// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import HTTP

extension WebService {
    /// A client asks to change to another protocol.
    /// - Returns: 0 to go on, -1 to close the connection.
    func upgradeAsked(_ connection: WebConnection, for name: String) -> CInt {
        guard name.lowercased() == "websocket", let request = request(of: connection) else { return -1 }
        if let refusal = connection.isSurplus ? Self.tooMany : admit(request, webSocketCount) {
            connection.output.append(refusal.head(closes: true))
            if case .octets(let octets) = refusal.body { connection.output.append(octets) }
            while !connection.output.isEmpty, write(connection) {}
            return -1
        }
        connection.request = request
        return 0
    }

    func webSocketOpened(_ connection: WebConnection) -> CInt {
        guard let request = connection.request else { return -1 }
        connection.request = nil
        connection.phase = .webSocket
        webSocketCount += 1
        exchange.report(.opened(connection.client, request))
        return 0
    }

    func send(_ connection: WebConnection, _ message: [UInt8]) {
        guard connection.phase == .webSocket, connection.closeStatus == nil else { return }
        connection.output.append(message)
        awaitWritable(connection)
    }

    func webSocketWritable(_ connection: WebConnection) -> CInt {
        guard connection.phase == .webSocket, !connection.isFinished else { return 0 }
        guard write(connection) else { return -1 }
        guard connection.output.isEmpty else {
            awaitWritable(connection)
            return 0
        }
        guard let status = connection.closeStatus else { return 0 }
        // The library sends no close frame behind octets that the socket has not taken.
        guard lws_partial_buffered(connection.handle) == 0 else {
            awaitWritable(connection)
            return 0
        }
        return finish(connection, status: status)
    }

    /// A part of a client's message has been received.
    func messageCame(_ connection: WebConnection, _ octets: UnsafeRawBufferPointer) {
        guard messageLimit > 0, connection.phase == .webSocket, connection.closeStatus == nil else { return }
        switch WebContext.receive(octets, of: connection.handle, into: &connection.message) {
        case .incomplete: break
        case .refused(let status): refuse(connection, status: status)
        case .whole(let message):
            let isTaken = exchange.report(
                .received(connection.client, message), octets: message.count, from: connection.client.number,
                limit: (WebContext.unreadMessages, messageLimit * WebContext.unreadFactor))
            if !isTaken { refuse(connection, status: 1_008) }
        }
    }

    /// Closes the WebSocket of a client that broke a rule; what was still to be sent is dropped.
    private func refuse(_ connection: WebConnection, status: UInt16) {
        connection.output.removeAll()
        close(connection, status: status)
    }

    /// Closes a WebSocket when what was sent to it has gone.
    func close(_ connection: WebConnection, status: UInt16) {
        guard connection.phase == .webSocket, connection.closeStatus == nil else { return }
        connection.closeStatus = status
        lws_set_timeout(connection.handle, PENDING_TIMEOUT_USER_OK, Self.closingSeconds)
        awaitWritable(connection)
    }
}
