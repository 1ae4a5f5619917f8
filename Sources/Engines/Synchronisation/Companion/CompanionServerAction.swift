// SPDX-License-Identifier: Apache-2.0

/// What the owner of a `CIIServer` or `TSServer` does for it, in this order.
public enum CompanionServerAction: Hashable, Sendable {
    /// Queue a text message.
    case send(CompanionClient, [UInt8])
    /// Close the WebSocket, whether or not all is sent; its end is reported by `closed`.
    case close(CompanionClient, status: UInt16)
}

/// Statuses with which servers close a WebSocket (RFC 6455 §7.4.1).
enum CloseStatus {
    static let goingAway: UInt16 = 1_001
    static let policyViolation: UInt16 = 1_008
    static let tryAgainLater: UInt16 = 1_013
}
