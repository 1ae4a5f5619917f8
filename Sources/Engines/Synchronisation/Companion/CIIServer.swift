// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// A server of CSS-CII without its sockets: it tells every client what is presented, all of it at first and then what
/// changes.
///
/// A pure value: any events of any clients may be given.
public struct CIIServer: Sendable {
    private struct Client: Sendable {}

    private var clients: ServedClients<Client>
    /// What is presented.
    public private(set) var information: ContentInformation
    private var ownCounters = CIIServerCounters()

    /// - Parameter mostPendingOctets: that may wait for one client. A single message may be longer.
    public init(
        _ information: ContentInformation = ContentInformation(),
        admission: CompanionAdmission = CompanionAdmission(path: "/cii"), mostPendingOctets: Int = 65_536
    ) {
        clients = ServedClients(admission, mostPendingOctets: mostPendingOctets)
        self.information = Self.versioned(information)
    }

    public var admission: CompanionAdmission { clients.admission }
    public var clientCount: Int { clients.count }
    public var counters: CIIServerCounters {
        var counters = ownCounters
        counters.clients = clients.counters
        return counters
    }

    func pendingOctets(of client: CompanionClient) -> Int { clients.pendingOctets(of: client) }

    /// - Parameter path: of the handshake's request.
    /// - Returns: nil if the client is let in.
    public mutating func admit(path: String) -> CompanionAdmission.Refusal? { clients.admit(path: path) }

    public mutating func opened(_ client: CompanionClient) -> [CompanionServerAction] {
        if let refusal = clients.opened(client, Client()) { return [refusal] }
        return clients.send(information.firstMessage.octets, to: client).map { [$0] } ?? []
    }

    /// Clients have nothing to say; what they say is ignored.
    public mutating func received(_ text: [UInt8], from client: CompanionClient) {
        ownCounters.messagesIgnored += 1
    }

    public mutating func sent(_ client: CompanionClient, octets: Int) { clients.sent(client, octets: octets) }

    public mutating func closed(_ client: CompanionClient) { clients.closed(client) }

    /// Tells all clients what differs from before, if anything does.
    public mutating func publish(_ information: ContentInformation) -> [CompanionServerAction] {
        let new = Self.versioned(information)
        guard let octets = new.delta(since: self.information)?.octets else { return [] }
        self.information = new
        return clients.open.compactMap { clients.send(octets, to: $0) }
    }

    /// Clients are closed and refused while the server is disabled.
    public mutating func setEnabled(_ isEnabled: Bool) -> [CompanionServerAction] { clients.setEnabled(isEnabled) }

    private static func versioned(_ information: ContentInformation) -> ContentInformation {
        var information = information
        information.protocolVersion = .onePointOne
        return information
    }
}
