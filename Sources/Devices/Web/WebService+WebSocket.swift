// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import HTTP

extension WebService {
    /// A client asks to change to another protocol.
    /// - Returns: 0 to go on, -1 to close the connection.
    func upgradeAsked(_ connection: WebConnection, for name: String) -> CInt {
        guard name.lowercased() == "websocket", let request = request(connection.handle) else { return -1 }
        if let refusal = admit(request, webSocketCount) {
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
        guard connection.phase == .webSocket else { return }
        connection.output.append(message)
        awaitWritable(connection)
    }

    func webSocketWritable(_ connection: WebConnection) -> CInt {
        guard connection.phase == .webSocket else { return 0 }
        guard write(connection) else { return -1 }
        if !connection.output.isEmpty { awaitWritable(connection) }
        return 0
    }
}
