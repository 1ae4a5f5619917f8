// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// What the owner of a `CompanionSession` does for it, in this order.
public enum CompanionAction: Equatable, Sendable {
    /// Open a WebSocket, and report how that goes with this connection. There is never a second one to the same service.
    case connect(CompanionConnection, WebSocketURL)
    /// Send a text message.
    case send(CompanionConnection, [UInt8])
    /// Close the WebSocket, or stop opening it. Nothing need be reported of it any more; what is, is ignored.
    case close(CompanionConnection, status: UInt16)
    /// Follow the wall clock of this server, instead of a former one. It is not available until that is reported.
    case follow(WallClockURL)
    case stopFollowing
    case report(CompanionEvent)
}
