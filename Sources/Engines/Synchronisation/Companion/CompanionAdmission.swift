// SPDX-License-Identifier: Apache-2.0

/// Whom a server of CSS-CII or CSS-TS lets in. A small value, so that the thread that answers handshakes may have a copy.
public struct CompanionAdmission: Hashable, Sendable {
    /// The HTTP status of an answer that opens no WebSocket.
    public enum Refusal: Int, Hashable, Sendable {
        case disabled = 403
        case notFound = 404
        case full = 503
    }

    /// Of the service's URL, from the slash on.
    public let path: String
    public var isEnabled: Bool
    public let mostClients: Int

    /// - Parameter mostClients: at least 1.
    public init(path: String, isEnabled: Bool = true, mostClients: Int = 1_024) {
        precondition(mostClients >= 1)
        (self.path, self.isEnabled, self.mostClients) = (path, isEnabled, mostClients)
    }

    /// - Parameters:
    ///   - path: of the handshake's request; a query is not looked at.
    ///   - clients: how many there are.
    /// - Returns: nil if the client is let in.
    public func refusal(path: String, clients: Int) -> Refusal? {
        guard path.prefix(while: { $0 != "?" }) == self.path else { return .notFound }
        guard isEnabled else { return .disabled }
        return clients < mostClients ? nil : .full
    }
}
