// SPDX-License-Identifier: Apache-2.0

/// What the owner of a `WebSocketClient` asks of its thread, and what name look-ups have found. A command for a closed
/// connection is ignored.
enum WebSocketCommand: Sendable {
    case connect(WebSocketClient.Connection, WebSocketTarget)
    case found(WebSocketClient.Connection, addresses: [String])
    case send(WebSocketClient.Connection, [UInt8])
    case close(WebSocketClient.Connection, status: UInt16)
    case stop
}
